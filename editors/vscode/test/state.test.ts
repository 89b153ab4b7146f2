/** What the page of the panel asks, and when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Target } from "../src/panel/protocol.js";
import { type Event, initial, keep, type Question, reduce, type State, tokenOf } from "../src/panel/view/state.js";
import { moved } from "../src/panel/view/tabs.js";

const TARGET: Target = { uri: "file:///a.ogc", file: "a.ogc", definition: "Reply", revision: 1 };

/** Runs events one after another; gives the state and the questions of the last. */
function run(state: State, ...events: Event[]): { state: State; questions: Question[] } {
  let step = { state, questions: [] as Question[] };
  for (const event of events) {
    step = reduce(step.state, event);
  }
  return step;
}

const target = (changes: Partial<Target> = {}): Event => ({
  kind: "target",
  target: { ...TARGET, ...changes },
  definitions: ["Reply", "Other"],
  note: "",
});
const show = (tab: State["tab"], run = false): Event => ({ kind: "show", tab, run });
const methods = (questions: Question[]) => questions.map(({ method }) => method);

test("opening a target requests only what its tab shows", () => {
  assert.deepEqual(methods(run(initial(undefined), target()).questions), ["ogc/diagram"]);
  assert.deepEqual(methods(run(initial({ tab: "costs" }), target()).questions), ["ogc/costs"]);
  assert.deepEqual(run(initial(undefined), show("samples")).questions, []);
});

test("changing the notation sends a new request", () => {
  const first = run(initial({ tab: "export" }), target());
  assert.deepEqual(first.questions[0]?.params, { to: "json-schema" });
  const next = run(first.state, { kind: "input", inputs: { notation: "gbnf" } });
  assert.deepEqual(next.questions[0]?.params, { to: "gbnf" });
  assert.equal(keep(next.state).inputs.notation, "gbnf");
});

test("a model runs on request, and its text is shown as it grows", () => {
  const ready = run(initial({ tab: "model" }), target(), { kind: "model", model: "m.gguf" });
  assert.deepEqual([ready.questions, ready.state.model], [[], "m.gguf"]);
  const begun = run(ready.state, { kind: "input", inputs: { prompt: "hi" } }, { kind: "run", slot: "generated" });
  assert.deepEqual(begun.questions[0]?.params, { prompt: "hi", maxTokens: 256 });
  const id = begun.questions[0]?.id ?? 0;
  const grown = run(begun.state, { kind: "progress", id, result: { text: "{", note: "" } });
  assert.equal(grown.state.slots.generated.result?.text, "{");
  assert.equal(grown.state.slots.generated.waiting, id);
  const late = run(grown.state, { kind: "progress", id: id + 1, result: { text: "x", note: "" } });
  assert.equal(late.state.slots.generated.result?.text, "{");
});

test("a tab sends its request once", () => {
  const first = run(initial(undefined), target(), show("samples"));
  assert.deepEqual(methods(first.questions), ["ogc/sample"]);
  const answer: Event = {
    kind: "answer",
    id: first.questions[0]?.id ?? 0,
    ok: true,
    result: { samples: ["x"], seed: 7 },
  };
  const again = run(first.state, answer, show("diagram"), show("samples"));
  assert.deepEqual(again.questions, []);
  assert.equal(again.state.slots.samples.result?.samples[0], "x");
});

test("an edit repeats the request with the same seed and shows the old response meanwhile", () => {
  const first = run(initial({ tab: "samples" }), target());
  const answer: Event = {
    kind: "answer",
    id: first.questions[0]?.id ?? 0,
    ok: true,
    result: { samples: ["x"], seed: 7 },
  };
  const edited = run(first.state, answer, target({ revision: 2 }));
  assert.deepEqual(edited.questions[0]?.params, { count: 3, seed: 7 });
  assert.equal(edited.state.slots.samples.result?.samples[0], "x");
});

test("selecting another definition drops the responses", () => {
  const first = run(initial(undefined), target());
  const answer: Event = {
    kind: "answer",
    id: first.questions[0]?.id ?? 0,
    ok: true,
    result: { name: "Reply", svg: "" },
  };
  const other = run(first.state, answer, target({ definition: "Other" }));
  assert.equal(other.state.slots.diagram.result, undefined);
  assert.deepEqual(methods(other.questions), ["ogc/diagram"]);
});

test("late responses are dropped", () => {
  const first = run(initial(undefined), target());
  const late: Event = { kind: "answer", id: first.questions[0]?.id ?? 0, ok: true, result: { name: "Reply", svg: "" } };
  const { state } = run(first.state, target({ definition: "Other" }), late);
  assert.equal(state.slots.diagram.result, undefined);
  assert.notEqual(state.slots.diagram.waiting, undefined);
});

test("a failure is kept as text until the next edit", () => {
  const first = run(initial(undefined), target());
  const failed = run(first.state, { kind: "answer", id: first.questions[0]?.id ?? 0, ok: false, message: "no" });
  assert.equal(failed.state.slots.diagram.failure, "no");
  assert.deepEqual(run(failed.state, show("diagram")).questions, []);
  assert.deepEqual(methods(run(failed.state, target({ revision: 2 })).questions), ["ogc/diagram"]);
});

test("typing repeats the requests that depend on the text", () => {
  const typed = run(initial({ tab: "match" }), target(), { kind: "input", inputs: { text: "x" } });
  assert.deepEqual(typed.questions[0]?.params, { text: "x" });
  assert.deepEqual(run(typed.state, { kind: "input", inputs: { text: "x" } }).questions, []);
  assert.deepEqual(run(typed.state, { kind: "input", inputs: { otherText: "y" } }).questions, []);
});

test("the first vocabulary is selected, and kept as long as it is listed", () => {
  const asked = run(initial({ tab: "masks" }), target(), { kind: "vocabularies", vocabularies: ["a", "b"] });
  assert.deepEqual(asked.questions[0]?.params, { prefix: "", vocabulary: "a" });
  const chosen = run(
    asked.state,
    { kind: "input", inputs: { vocabulary: "b" } },
    { kind: "vocabularies", vocabularies: ["b", "c"] },
  );
  assert.equal(chosen.state.inputs.vocabulary, "b");
  assert.equal(run(chosen.state, { kind: "vocabularies", vocabularies: [] }).state.inputs.vocabulary, "");
});

test("a token request is repeated when the prefix changes", () => {
  const first = run(initial({ tab: "masks" }), target(), { kind: "input", inputs: { token: "#17" } });
  assert.deepEqual(first.questions, []);
  const asked = run(first.state, { kind: "run", slot: "token" });
  assert.deepEqual(asked.questions[0]?.params, { prefix: "", token: 17 });
  const told = run(asked.state, { kind: "answer", id: asked.questions[0]?.id ?? 0, ok: false, message: "no" });
  const next = run(told.state, { kind: "input", inputs: { prefix: "[" } });
  assert.deepEqual(methods(next.questions), ["ogc/mask", "ogc/token"]);
});

test("a difference is searched only on request", () => {
  const opened = run(initial(undefined), target(), show("difference"));
  assert.deepEqual(opened.questions, []);
  assert.deepEqual(run(opened.state, show("difference", true)).questions[0]?.params, { against: { saved: true } });
  const text: Event = { kind: "input", inputs: { against: "text", otherText: "output Reply = any" } };
  assert.deepEqual(run(opened.state, text, { kind: "run", slot: "difference" }).questions[0]?.params, {
    against: { text: "output Reply = any", definition: "Reply" },
  });
  const other: Event = { kind: "input", inputs: { against: "definition", otherDefinition: "Other" } };
  assert.deepEqual(run(opened.state, other, { kind: "run", slot: "difference" }).questions[0]?.params, {
    against: { textDocument: { uri: TARGET.uri }, definition: "Other" },
  });
  assert.deepEqual(
    run(opened.state, { kind: "input", inputs: { against: "text" } }, { kind: "run", slot: "difference" }).questions,
    [],
  );
});

test("costs are requested again when they are ready", () => {
  const first = run(initial({ tab: "costs" }), target());
  assert.deepEqual(methods(run(first.state, { kind: "costs-changed" }).questions), ["ogc/costs"]);
  assert.deepEqual(run(first.state, show("diagram"), { kind: "costs-changed" }).questions, []);
});

test("without a target nothing is requested", () => {
  const none: Event = { kind: "target", target: null, definitions: [], note: "Open a format." };
  const { state, questions } = run(initial(undefined), target(), none);
  assert.deepEqual([state.note, questions], ["Open a format.", []]);
  assert.deepEqual(run(state, { kind: "run", slot: "diagram" }).questions, []);
});

test("the selected tab and inputs are kept", () => {
  const { state } = run(initial(undefined), target(), show("match"), { kind: "input", inputs: { text: "x" } });
  const again = initial(JSON.parse(JSON.stringify(keep(state))));
  assert.deepEqual([again.tab, again.inputs.text, again.target], ["match", "x", null]);
});

test("a number sign before a number means a token id", () => {
  assert.equal(tokenOf("#17"), 17);
  assert.equal(tokenOf("17"), "17");
  assert.equal(tokenOf("#"), "#");
});

test("arrow keys go around the tabs", () => {
  assert.deepEqual(
    ["ArrowRight", "ArrowLeft", "Home", "End", "a"].map((key) => moved(key, 5, 6)),
    [0, 4, 0, 5, undefined],
  );
  assert.equal(moved("ArrowLeft", 0, 6), 5);
});
