/** The state of the page as data: events go in, a new state and questions for the server come out. */
import type {
  Against,
  CostsResult,
  DiagramResult,
  DifferenceResult,
  ExportResult,
  FormatParams,
  GenerateResult,
  MaskResult,
  MatchResult,
  Notation,
  SampleResult,
  TokenResult,
} from "../../requests.js";
import type { Ask, Tab, Target } from "../protocol.js";

/** The state of a question: nothing, an answer, or a reason why there is none; and whether a newer question is under way. */
export interface Slot<R> {
  /** The number of the question under way. */
  waiting: number | undefined;
  result: R | undefined;
  failure: string | undefined;
  /** Whether it must be asked again before it is shown. */
  isStale: boolean;
}

/** All questions of the page. */
export interface Slots {
  diagram: Slot<DiagramResult>;
  samples: Slot<SampleResult>;
  match: Slot<MatchResult>;
  mask: Slot<MaskResult>;
  token: Slot<TokenResult>;
  costs: Slot<CostsResult>;
  difference: Slot<DifferenceResult>;
  export: Slot<ExportResult>;
  generated: Slot<GenerateResult>;
}
export type SlotName = keyof Slots;

/** The inputs and choices of the user; they are kept when the page is closed. */
export interface Inputs {
  count: number;
  length: string;
  seed: number | undefined;
  text: string;
  vocabulary: string;
  prefix: string;
  filter: string;
  token: string;
  against: "saved" | "definition" | "text";
  otherDefinition: string;
  otherText: string;
  notation: Notation;
  prompt: string;
  maxTokens: number;
}

export interface State {
  tab: Tab;
  target: Target | null;
  /** The reason why there is no target. */
  note: string;
  definitions: string[];
  vocabularies: string[];
  /** The language model that is configured. */
  model: string | null;
  inputs: Inputs;
  slots: Slots;
  /** The number of the last question. */
  lastId: number;
}

/** The part of the state that is kept when the page is closed. */
export interface Kept {
  tab: Tab;
  inputs: Inputs;
}

export type Event =
  | { kind: "target"; target: Target | null; definitions: string[]; note: string }
  | { kind: "vocabularies"; vocabularies: string[] }
  | { kind: "answer"; id: number; ok: true; result: unknown }
  | { kind: "answer"; id: number; ok: false; message: string }
  | { kind: "progress"; id: number; result: unknown }
  | { kind: "model"; model: string | null }
  | { kind: "costs-changed" }
  | { kind: "show"; tab: Tab; run: boolean }
  | { kind: "input"; inputs: Partial<Inputs> }
  | { kind: "run"; slot: SlotName };

/** A question with its number. */
export type Question = { id: number } & Ask;

export interface Step {
  state: State;
  questions: Question[];
}

const EMPTY = { waiting: undefined, result: undefined, failure: undefined, isStale: true };

const START: Inputs = {
  count: 3,
  length: "",
  seed: undefined,
  text: "",
  vocabulary: "",
  prefix: "",
  filter: "",
  token: "",
  against: "saved",
  otherDefinition: "",
  otherText: "",
  notation: "json-schema",
  prompt: "",
  maxTokens: 256,
};

/** The questions that each tab asks by itself. A difference is not: it is a long search. A token is not: it must be chosen first. */
const AUTOMATIC: Record<Tab, SlotName[]> = {
  diagram: ["diagram"],
  samples: ["samples"],
  match: ["match"],
  masks: ["mask"],
  costs: ["costs"],
  difference: [],
  export: ["export"],
  model: [],
};

/** The questions that depend on an input. */
const DEPENDENT: Partial<Record<keyof Inputs, SlotName[]>> = {
  count: ["samples"],
  length: ["samples"],
  text: ["match"],
  vocabulary: ["match", "mask", "token"],
  prefix: ["mask", "token"],
  filter: ["mask"],
  notation: ["export"],
};

export function initial(kept: Partial<Kept> | undefined): State {
  return {
    tab: kept?.tab ?? "diagram",
    target: null,
    note: "",
    definitions: [],
    vocabularies: [],
    model: null,
    inputs: { ...START, ...kept?.inputs },
    slots: emptySlots(),
    lastId: 0,
  };
}

export function keep({ tab, inputs }: State): Kept {
  return { tab, inputs };
}

export function reduce(state: State, event: Event): Step {
  switch (event.kind) {
    case "target":
      return askStale(withTarget(state, event));
    case "vocabularies":
      return askStale(withVocabularies(state, event.vocabularies));
    case "answer":
      return { state: withAnswer(state, event), questions: [] };
    case "progress":
      return { state: withProgress(state, event.id, event.result), questions: [] };
    case "model":
      return { state: { ...state, model: event.model }, questions: [] };
    case "costs-changed":
      return askStale(stale(state, ["costs"]));
    case "show": {
      const shown = askStale({ ...state, tab: event.tab });
      const search = event.run && event.tab === "difference";
      return search ? then(shown, (state) => ask(state, ["difference"])) : shown;
    }
    case "input":
      return askStale(withInputs(state, event.inputs));
    case "run":
      return ask(state, [event.slot]);
  }
}

/** A new target forgets all answers. A new revision of the same target shows the old answers until the new ones arrive. */
function withTarget(state: State, { target, definitions, note }: Event & { kind: "target" }): State {
  const same = target !== null && target.uri === state.target?.uri && target.definition === state.target.definition;
  const changed = { ...state, target, definitions, note };
  if (!same) {
    return { ...changed, slots: emptySlots() };
  }
  return target.revision === state.target?.revision ? changed : stale(changed, Object.keys(state.slots) as SlotName[]);
}

/** Chooses the first vocabulary if none was chosen, or if the chosen one is gone. */
function withVocabularies(state: State, vocabularies: string[]): State {
  const known = vocabularies.includes(state.inputs.vocabulary);
  const changed = { ...state, vocabularies };
  return known ? changed : withInputs(changed, { vocabulary: vocabularies[0] ?? "" });
}

function withInputs(state: State, inputs: Partial<Inputs>): State {
  const next = { ...state.inputs, ...inputs };
  const changed = (Object.keys(inputs) as (keyof Inputs)[]).filter((key) => next[key] !== state.inputs[key]);
  return stale(
    { ...state, inputs: next },
    changed.flatMap((key) => DEPENDENT[key] ?? []),
  );
}

function withAnswer(state: State, answer: Event & { kind: "answer" }): State {
  const name = (Object.keys(state.slots) as SlotName[]).find((name) => state.slots[name].waiting === answer.id);
  if (name === undefined) {
    return state;
  }
  const slot = answer.ok
    ? { ...EMPTY, result: answer.result, isStale: false }
    : { ...EMPTY, failure: answer.message, isStale: false };
  const slots = { ...state.slots, [name]: slot } as Slots;
  // The seed is kept, so that the same samples come back after an edit that changes nothing.
  const seed = name === "samples" && answer.ok ? (answer.result as SampleResult).seed : state.inputs.seed;
  return { ...state, slots, inputs: { ...state.inputs, seed } };
}

/** Shows the part of an incomplete answer that has arrived. */
function withProgress(state: State, id: number, result: unknown): State {
  const names = Object.keys(state.slots) as SlotName[];
  const name = names.find((one) => state.slots[one].waiting === id);
  if (name === undefined) {
    return state;
  }
  const slot = { ...state.slots[name], result, failure: undefined };
  return { ...state, slots: { ...state.slots, [name]: slot } as Slots };
}

/** Marks answers as out of date; answers under way are dropped. */
function stale(state: State, names: SlotName[]): State {
  const slots: Record<string, Slot<unknown>> = { ...state.slots };
  for (const name of names) {
    slots[name] = { ...state.slots[name], waiting: undefined, isStale: true };
  }
  return { ...state, slots: slots as unknown as Slots };
}

/** Asks the questions of the tab that have no current answer. The question about a token is repeated if it was asked before. */
function askStale(state: State): Step {
  const shown: SlotName[] = [...AUTOMATIC[state.tab]];
  if (state.tab === "masks" && (state.slots.token.result ?? state.slots.token.failure) !== undefined) {
    shown.push("token");
  }
  return ask(
    state,
    shown.filter((name) => state.slots[name].isStale && state.slots[name].waiting === undefined),
  );
}

function ask(state: State, names: SlotName[]): Step {
  if (state.target === null) {
    return { state, questions: [] };
  }
  const slots: Record<string, Slot<unknown>> = { ...state.slots };
  const questions: Question[] = [];
  let { lastId } = state;
  for (const name of names) {
    const asked = question(name, state);
    if (asked !== undefined) {
      lastId += 1;
      slots[name] = { ...state.slots[name], waiting: lastId };
      questions.push({ id: lastId, ...asked });
    }
  }
  return { state: { ...state, slots: slots as unknown as Slots, lastId }, questions };
}

/** Returns the parameters of a question; `undefined` if an input is missing. */
function question(name: SlotName, { inputs, target }: State): Ask | undefined {
  const vocabulary = inputs.vocabulary === "" ? {} : { vocabulary: inputs.vocabulary };
  switch (name) {
    case "diagram":
      return { method: "ogc/diagram", params: {} };
    case "samples": {
      const length = Number.parseInt(inputs.length, 10);
      const bound = Number.isNaN(length) ? {} : { length };
      const seed = inputs.seed === undefined ? {} : { seed: inputs.seed };
      return { method: "ogc/sample", params: { count: inputs.count, ...seed, ...bound } };
    }
    case "match":
      return { method: "ogc/match", params: { text: inputs.text, ...vocabulary } };
    case "mask": {
      const filter = inputs.filter === "" ? {} : { filter: inputs.filter };
      return { method: "ogc/mask", params: { prefix: inputs.prefix, ...vocabulary, ...filter } };
    }
    case "token":
      return inputs.token === ""
        ? undefined
        : { method: "ogc/token", params: { prefix: inputs.prefix, ...vocabulary, token: tokenOf(inputs.token) } };
    case "costs":
      return { method: "ogc/costs", params: {} };
    case "export":
      return { method: "ogc/export", params: { to: inputs.notation } };
    case "generated":
      return { method: "client/generate", params: { prompt: inputs.prompt, maxTokens: inputs.maxTokens } };
    case "difference": {
      const against = againstOf(inputs, target);
      return against === undefined ? undefined : { method: "ogc/difference", params: { against } };
    }
  }
}

/** A token that is written as `#17` is meant by its number. */
export function tokenOf(input: string): number | string {
  const number = /^#(\d+)$/.exec(input)?.[1];
  return number === undefined ? input : Number(number);
}

function againstOf(inputs: Inputs, target: Target | null): Against | undefined {
  switch (inputs.against) {
    case "saved":
      return { saved: true };
    case "text": {
      const definition = target?.definition === null || target === null ? {} : { definition: target.definition };
      return inputs.otherText === "" ? undefined : { text: inputs.otherText, ...definition };
    }
    case "definition": {
      const other: FormatParams | undefined =
        target === null || inputs.otherDefinition === ""
          ? undefined
          : { textDocument: { uri: target.uri }, definition: inputs.otherDefinition };
      return other;
    }
  }
}

function then(step: Step, next: (state: State) => Step): Step {
  const after = next(step.state);
  return { state: after.state, questions: [...step.questions, ...after.questions] };
}

function emptySlots(): Slots {
  return {
    diagram: EMPTY,
    samples: EMPTY,
    match: EMPTY,
    mask: EMPTY,
    token: EMPTY,
    costs: EMPTY,
    difference: EMPTY,
    export: EMPTY,
    generated: EMPTY,
  };
}
