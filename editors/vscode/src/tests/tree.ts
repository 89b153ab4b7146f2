/** The tests of a file as a tree, and their results by its nodes. Does not use the editor. */
import type { CaseResult, Range, TestInfo, TestResult } from "../requests.js";

/** A node of the tree: a `test` item, or a case in it. */
export interface TestNode {
  id: string;
  label: string;
  description: string;
  range: Range;
  children: TestNode[];
}

/** Maximum length of a case's label. */
const LONGEST = 80;

/** Makes the tree of a file. */
export function treeOf(uri: string, tests: TestInfo[]): TestNode[] {
  const seen = new Map<string, number>();
  return tests.map(({ definition, range, cases }, at) => {
    const count = (seen.get(definition) ?? 0) + 1;
    seen.set(definition, count);
    const id = `${uri}#${at}`;
    const children = cases.map((one, index) => ({
      id: `${id}.${index}`,
      label: `${one.accept ? "accept" : "reject"} ${shortened(one.subject)}`,
      description: one.reason ?? "",
      range: one.range,
      children: [],
    }));
    return { id, label: count === 1 ? definition : `${definition} (${count})`, description: "", range, children };
  });
}

/** Writes a subject on one line. */
function shortened(subject: string): string {
  const line = [...subject.replace(/\s*\n\s*/g, " ")];
  return line.length <= LONGEST ? line.join("") : `${line.slice(0, LONGEST - 1).join("")}…`;
}

/** Returns the results of cases by the ids of their nodes; `undefined` if the file was edited since the tree was made. */
export function resultsOf(tree: TestNode[], results: TestResult[]): Map<string, CaseResult> | undefined {
  const found = new Map<string, CaseResult>();
  for (const [at, node] of tree.entries()) {
    const result = results[at];
    if (result === undefined || result.cases.length !== node.children.length) {
      return undefined;
    }
    for (const [index, child] of node.children.entries()) {
      const one = result.cases[index];
      if (one === undefined || !isSame(one.range, child.range)) {
        return undefined;
      }
      found.set(child.id, one);
    }
  }
  return tree.length === results.length ? found : undefined;
}

function isSame(one: Range, other: Range): boolean {
  const values = ({ start, end }: Range) => [start.line, start.character, end.line, end.character].join();
  return values(one) === values(other);
}

/** Describes the failure of a case, and what to do. */
export function messageOf({ message, help }: CaseResult & { state: "failed" }): string {
  return help === null || help === undefined ? message : `${message}\n${help}`;
}

/** Returns whether an id belongs to an item or to a node within it: a file, a `test` item or a case. */
export function isWithin(id: string, outer: string): boolean {
  return id === outer || id.startsWith(`${outer}#`) || (outer.includes("#") && id.startsWith(`${outer}.`));
}
