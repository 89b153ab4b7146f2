/** The texts of the item in the status bar. */
import type { SessionState } from "./server/session.js";

/** The content of the item. */
export interface StatusText {
  text: string;
  tooltip: string;
  isError: boolean;
}

export function statusText(state: SessionState): StatusText {
  switch (state.kind) {
    case "stopped":
      return { text: "$(circle-slash) ogc", tooltip: "ogc: the language server does not run", isError: false };
    case "starting":
      return { text: "$(sync~spin) ogc", tooltip: "ogc: the language server starts", isError: false };
    case "failed":
      return { text: "$(error) ogc", tooltip: `ogc: ${state.message}`, isError: true };
    case "running":
      return running(state.status);
  }
}

function running(status: (SessionState & { kind: "running" })["status"]): StatusText {
  if (status === undefined) {
    return { text: "$(check) ogc", tooltip: "ogc: ready", isError: false };
  }
  const names = status.vocabularies.map(shortName);
  const icon = status.state === "working" ? "$(sync~spin)" : "$(check)";
  const [first, ...others] = names;
  const vocabulary = first === undefined ? "" : `: ${first}${others.length === 0 ? "" : ` +${others.length}`}`;
  const budget = status.budget === null ? "" : ` (${status.budget})`;
  const lines = [
    `ogc: ${status.detail ?? (status.state === "working" ? "working" : "ready")}`,
    names.length === 0 ? "No vocabulary is set; costs of masks are not computed" : `Vocabularies: ${names.join(", ")}`,
    status.budget === null ? "No budget is set" : `Budget: ${status.budget}`,
  ];
  return { text: `${icon} ogc${vocabulary}${budget}`, tooltip: lines.join("\n"), isError: false };
}

/** The end of a path that distinguishes vocabularies: the folder of a `tokenizer.json`, else the file. */
export function shortName(vocabulary: string): string {
  const parts = vocabulary.split(/[\\/]/).filter((part) => part !== "");
  const file = parts.at(-1) ?? vocabulary;
  return /^(tokenizer|tekken)\.json$/.test(file) ? (parts.at(-2) ?? file) : file;
}
