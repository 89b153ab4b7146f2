/** The tab in which a language model writes a text of the format. */
import type { GenerateResult } from "../../requests.js";
import { button, h, labelled, shown } from "./dom.js";
import type { Host, Part } from "./tab.js";
import { canHaveTests, Results, setValue } from "./tab.js";

export function model(host: Host): Part {
  const prompt = h("textarea", { rows: 4, placeholder: "What the model is asked" });
  prompt.addEventListener("input", () => host.typed({ prompt: prompt.value }));
  const most = h("input", { type: "number", min: 1, size: 6 });
  most.addEventListener("change", () => host.input({ maxTokens: Math.max(1, Number(most.value) || 256) }));
  const run = button("Run", () => host.run("generated"));
  const stop = button("Stop", () => host.stop());
  const settings = button("Choose a model", () => host.settings("ogc.model"), { class: "link" });
  const name = h("span");
  let isTested = false;
  const results = new Results<GenerateResult>(
    ({ note }) => note,
    ({ text }) => [
      h("pre", { class: "text" }, ...shown(text)),
      text === "" ? undefined : actions(host, text, isTested),
    ],
  );
  return {
    title: "Model",
    element: h(
      "div",
      {},
      h("p", { class: "soft" }, name, " ", settings),
      labelled("Prompt", prompt, { class: "wide" }),
      h("div", { class: "controls" }, labelled("Tokens at most", most), run, stop),
      results.line,
      results.area,
    ),
    update: (state) => {
      const { inputs, slots, model } = state;
      isTested = canHaveTests(state);
      name.textContent = model ?? "No model is chosen: a GGUF file, or a folder with safetensors.";
      setValue(prompt, inputs.prompt);
      setValue(most, String(inputs.maxTokens));
      run.disabled = model === null;
      stop.disabled = slots.generated.waiting === undefined;
      results.update(slots.generated);
    },
  };
}

function actions(host: Host, text: string, isTested: boolean): HTMLElement {
  const attempt = () => {
    host.input({ text });
    host.show("match");
  };
  return h(
    "div",
    { class: "actions" },
    button("Try", attempt),
    button("Copy", () => host.copy(text)),
    isTested ? button("Add as a test", () => host.addTest(text)) : undefined,
  );
}
