/** The tabs of the panel that make tests, exports and texts of a model: what they show and what they ask the extension. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHTML } from "linkedom";
import type { Target } from "../src/panel/protocol.js";
import { exportTab } from "../src/panel/view/export.js";
import { match } from "../src/panel/view/match.js";
import { model } from "../src/panel/view/model.js";
import { samples } from "../src/panel/view/samples.js";
import { initial, type State } from "../src/panel/view/state.js";
import type { Host, Part } from "../src/panel/view/tab.js";

const window = parseHTML("<html><body></body></html>");
// The library's choices cannot be set.
Object.defineProperty(window.HTMLSelectElement.prototype, "value", { value: "", writable: true });
Object.assign(globalThis, { document: window.document, HTMLSelectElement: window.HTMLSelectElement });

const TARGET: Target = { uri: "file:///a.ogc", file: "a.ogc", definition: "Reply", revision: 1 };

/** A host that notes what it is asked. */
function host(): { host: Host; asked: unknown[][] } {
  const asked: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void asked.push([name, ...args]);
  const names = ["input", "typed", "run", "show", "reveal", "copy", "addTest", "open", "stop", "settings"];
  return { host: Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as Host, asked };
}

function state(changes: Partial<State>): State {
  return { ...initial(undefined), target: TARGET, ...changes };
}

/** A slot with an answer. */
const answered = (result: unknown) => ({ waiting: undefined, result, failure: undefined, isStale: false });

function withSlot(name: string, result: unknown, changes: Partial<State> = {}): State {
  const made = state(changes);
  return { ...made, slots: { ...made.slots, [name]: answered(result) } } as State;
}

/** Returns the buttons that are not hidden, by their words. */
function buttons({ element }: Part): Map<string, HTMLButtonElement> {
  const all = [...element.querySelectorAll("button")].filter((one) => !one.hidden);
  return new Map(all.map((one) => [one.textContent ?? "", one as HTMLButtonElement]));
}

function press(part: Part, words: string): void {
  const button = buttons(part).get(words);
  assert.ok(button, `${words} among ${[...buttons(part).keys()]}`);
  button.click();
}

test("samples become tests of definitions", () => {
  const { host: one, asked } = host();
  const part = samples(one);
  part.update(withSlot("samples", { samples: ["{}"], seed: 1 }));
  press(part, "Add as a test");
  assert.deepEqual(asked, [["addTest", "{}"]]);
  const whole = samples(one);
  whole.update(withSlot("samples", { samples: ["{}"], seed: 1 }, { target: { ...TARGET, definition: null } }));
  assert.ok(!buttons(whole).has("Add as a test"));
});

test("a tried text becomes a test of a definition", () => {
  const { host: one, asked } = host();
  const part = match(one);
  const accepted = { accepted: true, prefix: 2, complete: true, expected: "", rules: [], captures: [] };
  const tried = withSlot("match", accepted);
  part.update({ ...tried, inputs: { ...tried.inputs, text: "[]" } });
  press(part, "Add as a test");
  assert.deepEqual(asked, [["addTest", "[]"]]);
  part.update({ ...tried, target: { ...TARGET, definition: null } });
  assert.ok(!buttons(part).has("Add as a test"));
});

test("an export is shown, copied and opened", () => {
  const { host: one, asked } = host();
  const part = exportTab(one);
  const exported = withSlot("export", { text: "root ::= x", notes: ["n"] });
  part.update({ ...exported, inputs: { ...exported.inputs, notation: "gbnf" } });
  assert.match(part.element.textContent ?? "", /1 note about this text.*root ::= x/s);
  press(part, "Copy");
  press(part, "Open as a file");
  assert.deepEqual(asked, [
    ["copy", "root ::= x"],
    ["open", "root ::= x", "gbnf"],
  ]);
});

test("generating runs the selected model", () => {
  const { host: one, asked } = host();
  const part = model(one);
  part.update(state({}));
  assert.ok(buttons(part).get("Run")?.disabled && buttons(part).get("Stop")?.disabled);
  press(part, "Choose a model");
  const running = withSlot("generated", { text: "{", note: "" }, { model: "m.gguf" });
  const slots = { ...running.slots, generated: { ...running.slots.generated, waiting: 3 } };
  part.update({ ...running, slots });
  assert.match(part.element.textContent ?? "", /m\.gguf/);
  press(part, "Run");
  press(part, "Stop");
  press(part, "Add as a test");
  assert.deepEqual(asked, [["settings", "ogc.model"], ["run", "generated"], ["stop"], ["addTest", "{"]]);
});
