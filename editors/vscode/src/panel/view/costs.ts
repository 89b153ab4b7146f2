/** The tab with the costs of the format. */
import type { CostsResult, VocabularyCost } from "../../requests.js";
import { bytes, count, h, table } from "./dom.js";
import type { Host, Part } from "./tab.js";
import { place, Results } from "./tab.js";

export function costs(host: Host): Part {
  const results = new Results<CostsResult>(
    ({ states, bytes: size }) => `${count(states, "state")}, ${bytes(size)}`,
    (result) => [
      automaton(result),
      result.vocabularies.length === 0
        ? h(
            "p",
            { class: "soft" },
            "No vocabulary is set: `ogc.vocabularies` or `ogc.toml` say for which masks are measured.",
          )
        : table("Masks", ["vocabulary", "rows", "size", "build", ""], result.vocabularies.map(vocabulary)),
      result.parts.length === 0
        ? undefined
        : table(
            "The costliest rules",
            ["rule", "states", "size"],
            result.parts.map((part) => [
              place(host, part.name, part.location),
              part.states.toLocaleString("en"),
              bytes(part.bytes),
            ]),
          ),
    ],
  );
  return {
    title: "Costs",
    element: h("div", {}, results.line, results.area),
    update: ({ slots }) => results.update(slots.costs),
  };
}

function automaton({ rules, states, edges, bytes: size }: CostsResult): HTMLElement {
  const tile = (name: string, value: string) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const number = (value: number) => value.toLocaleString("en");
  return h(
    "dl",
    { class: "tiles" },
    tile("rules", number(rules)),
    tile("states", number(states)),
    tile("edges", number(edges)),
    tile("automaton", bytes(size)),
  );
}

function vocabulary(cost: VocabularyCost): string[] {
  const or = <T>(value: T | null | undefined, show: (value: T) => string) =>
    value === null || value === undefined ? "" : show(value);
  return [
    cost.name,
    or(cost.rows, (rows) => rows.toLocaleString("en")),
    or(cost.rowBytes, bytes),
    or(cost.buildMs, (ms) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en")} ms`),
    note(cost),
  ];
}

function note({ state, complete, message }: VocabularyCost): string {
  switch (state) {
    case "computing":
      return message ?? "computing…";
    case "failed":
      return message ?? "failed";
    case "ready":
      return message ?? (complete === false ? "not complete: the rest is computed at its first use" : "");
  }
}
