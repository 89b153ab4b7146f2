/** The tab that compares the format with another one. */
import type { DifferenceResult } from "../../requests.js";
import { button, h, labelled, shown } from "./dom.js";
import type { Inputs } from "./state.js";
import type { Host, Part } from "./tab.js";
import { Results, setValue } from "./tab.js";

const CHOICES: [Inputs["against"], string][] = [
  ["saved", "the saved file"],
  ["definition", "another definition of this file"],
  ["text", "another text of this file"],
];

export function difference(host: Host): Part {
  const radios = CHOICES.map(([value, title]) => {
    const radio = h("input", { type: "radio", name: "against", value });
    radio.addEventListener("change", () => host.input({ against: value }));
    return { value, radio, element: h("label", { class: "radio" }, radio, h("span", {}, title)) };
  });
  const other = h("select");
  other.addEventListener("change", () => host.input({ otherDefinition: other.value }));
  const otherLabel = labelled("Definition", other);
  const text = h("textarea", { rows: 6, spellcheck: "false" });
  text.addEventListener("input", () => host.typed({ otherText: text.value }));
  const textLabel = labelled("Text of the other version", text, { class: "wide" });
  const compare = button("Compare", () => host.run("difference"));
  const results = new Results<DifferenceResult>(verdict, (result) => witnesses(host, result));
  return {
    title: "Difference",
    element: h(
      "div",
      {},
      h(
        "fieldset",
        {},
        h("legend", {}, "Compare with"),
        radios.map(({ element }) => element),
      ),
      otherLabel,
      textLabel,
      h("div", { class: "controls" }, compare),
      results.line,
      results.area,
    ),
    update: ({ inputs, definitions, target, slots }) => {
      for (const { value, radio } of radios) {
        radio.checked = inputs.against === value;
      }
      const others = definitions.filter((name) => name !== target?.definition);
      const same =
        others.length === other.options.length && others.every((name, at) => other.options[at]?.value === name);
      if (!same) {
        other.replaceChildren(...others.map((name) => h("option", { value: name }, name)));
      }
      if (!others.includes(inputs.otherDefinition) && others[0] !== undefined && inputs.against === "definition") {
        host.input({ otherDefinition: others[0] });
        return;
      }
      other.value = inputs.otherDefinition;
      setValue(text, inputs.otherText);
      otherLabel.hidden = inputs.against !== "definition";
      textLabel.hidden = inputs.against !== "text";
      compare.disabled = !isPossible(inputs, others);
      results.update(slots.difference);
    },
  };
}

function isPossible(inputs: Inputs, others: string[]): boolean {
  switch (inputs.against) {
    case "saved":
      return true;
    case "definition":
      return others.includes(inputs.otherDefinition);
    case "text":
      return inputs.otherText !== "";
  }
}

const has = (text: string | null | undefined): text is string => text !== null && text !== undefined;

function verdict({ onlyThis, onlyOther, complete }: DifferenceResult): string {
  if (has(onlyThis) && has(onlyOther)) {
    return "Each accepts a text that the other one refuses";
  }
  if (has(onlyThis)) {
    return `This one accepts more${complete ? "" : ", as far as was searched"}`;
  }
  if (has(onlyOther)) {
    return `The other one accepts more${complete ? "" : ", as far as was searched"}`;
  }
  return complete ? "Both accept the same texts" : "No difference was found, but not all texts were searched";
}

function witnesses(host: Host, { onlyThis, onlyOther }: DifferenceResult): (Node | undefined)[] {
  return [witness(host, "Only this one accepts", onlyThis), witness(host, "Only the other one accepts", onlyOther)];
}

function witness(host: Host, title: string, text: string | null | undefined): HTMLElement | undefined {
  if (!has(text)) {
    return undefined;
  }
  const attempt = () => {
    host.input({ text });
    host.show("match");
  };
  const body = text === "" ? h("p", {}, "the empty text") : h("pre", { class: "text" }, shown(text));
  return h(
    "section",
    {},
    h("h3", {}, title),
    body,
    h(
      "div",
      { class: "actions" },
      button("Try", attempt),
      button("Copy", () => host.copy(text)),
    ),
  );
}
