/** The tab that writes the format in another notation. */
import { type ExportResult, NOTATIONS, type Notation } from "../../requests.js";
import { button, count, h, labelled } from "./dom.js";
import type { Host, Part } from "./tab.js";
import { Results, setValue } from "./tab.js";

const TITLES: Record<Notation, string> = {
  "json-schema": "JSON Schema",
  gbnf: "GBNF (llama.cpp)",
  lark: "Lark",
  regex: "a regular expression",
  ogc: "the ogc language",
  prompt: "a description for a model",
};

export function exportTab(host: Host): Part {
  const notation = h(
    "select",
    {},
    NOTATIONS.map((name) => h("option", { value: name }, TITLES[name])),
  );
  notation.addEventListener("change", () => host.input({ notation: notation.value as Notation }));
  let chosen: Notation = "json-schema";
  const results = new Results<ExportResult>(
    ({ notes }) => (notes.length === 0 ? "" : `${count(notes.length, "note")} about this text`),
    ({ text, notes }) => [
      notes.length === 0 ? undefined : list(notes),
      h(
        "div",
        { class: "controls" },
        button("Copy", () => host.copy(text)),
        button("Open as a file", () => host.open(text, chosen)),
      ),
      h("pre", { class: "text" }, text),
    ],
  );
  return {
    title: "Export",
    element: h(
      "div",
      {},
      h("div", { class: "controls" }, labelled("Write it as", notation)),
      results.line,
      results.area,
    ),
    update: ({ inputs, slots }) => {
      chosen = inputs.notation;
      setValue(notation, chosen);
      results.update(slots.export);
    },
  };
}

function list(notes: string[]): HTMLElement {
  return h(
    "ul",
    {},
    notes.map((note) => h("li", {}, note)),
  );
}
