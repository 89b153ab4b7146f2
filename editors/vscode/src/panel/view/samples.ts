/** The tab with random texts of the format. */
import { button, count, h, labelled, shown } from "./dom.js";
import type { Host, Part } from "./tab.js";
import { canHaveTests, Results, setValue } from "./tab.js";

export function samples(host: Host): Part {
  const many = h("input", { type: "number", min: 1, max: 50, size: 4 });
  many.addEventListener("change", () => host.input({ count: Math.min(50, Math.max(1, Number(many.value) || 3)) }));
  const length = h("input", { type: "number", min: 1, size: 6, placeholder: "any" });
  length.addEventListener("change", () => host.input({ length: length.value }));
  const more = button("New samples", () => {
    host.input({ seed: undefined });
    host.run("samples");
  });
  let isTested = false;
  const results = new Results<{ samples: string[]; seed: number }>(
    ({ samples, seed }) => `${count(samples.length, "sample")} with the seed ${seed}`,
    ({ samples }) => [
      h(
        "ol",
        { class: "plain" },
        samples.map((text, at) => sample(host, text, at, isTested)),
      ),
    ],
  );
  return {
    title: "Samples",
    element: h(
      "div",
      {},
      h("div", { class: "controls" }, labelled("How many", many), labelled("Characters at most", length), more),
      results.line,
      results.area,
    ),
    update: (state) => {
      const { slots, inputs } = state;
      isTested = canHaveTests(state);
      setValue(many, String(inputs.count));
      setValue(length, inputs.length);
      results.update(slots.samples);
    },
  };
}

function sample(host: Host, text: string, at: number, isTested: boolean): HTMLElement {
  const of = { "aria-label": `Try sample ${at + 1}` };
  const attempt = () => {
    host.input({ text });
    host.show("match");
  };
  return h(
    "li",
    {},
    h("pre", { class: "text" }, shown(text)),
    h(
      "div",
      { class: "actions" },
      button("Try", attempt, of),
      button("Copy", () => host.copy(text), { "aria-label": `Copy sample ${at + 1}` }),
      isTested
        ? button("Add as a test", () => host.addTest(text), { "aria-label": `Add sample ${at + 1} as a test` })
        : undefined,
    ),
  );
}
