/** The common code of the parts of the page. */
import type { Location, Notation } from "../../requests.js";
import type { Tab } from "../protocol.js";
import { button, h, worded } from "./dom.js";
import type { Inputs, Slot, SlotName, State } from "./state.js";

/** The actions that a part of the page can cause. */
export interface Host {
  input(inputs: Partial<Inputs>): void;
  /** Like `input`, when the typing pauses. */
  typed(inputs: Partial<Inputs>): void;
  run(slot: SlotName): void;
  show(tab: Tab): void;
  reveal(location: Location): void;
  copy(text: string): void;
  /** Adds a text as a case to the test of the definition. */
  addTest(text: string): void;
  /** Opens a text in a notation as a document. */
  open(text: string, notation: Notation): void;
  /** Stops the language model. */
  stop(): void;
  /** Opens a setting. */
  settings(setting: string): void;
}

/** A part of the page: its elements are made once, its results with each answer. */
export interface Part {
  title: string;
  element: HTMLElement;
  update(state: State): void;
}

/** The place of the results of one question, and the line that is read out. */
export class Results<R> {
  readonly line = h("p", { role: "status", class: "line" });
  readonly area = h("div", { class: "results" });
  private drawn: Slot<R> | undefined;

  constructor(
    private readonly say: (result: R) => string,
    private readonly draw: (result: R) => (Node | undefined)[],
  ) {}

  update(slot: Slot<R>): void {
    if (slot === this.drawn) {
      return;
    }
    const before = this.drawn;
    this.drawn = slot;
    this.area.classList.toggle("waiting", slot.waiting !== undefined);
    this.area.setAttribute("aria-busy", String(slot.waiting !== undefined));
    if (slot.waiting !== undefined && slot.result === undefined && slot.failure === undefined) {
      this.line.textContent = "Asking…";
      return;
    }
    if (slot.result !== before?.result || slot.failure !== before?.failure) {
      this.redraw(slot);
    } else if (this.line.textContent === "Asking…") {
      this.line.textContent = "";
    }
  }

  private redraw(slot: Slot<R>): void {
    this.line.classList.toggle("failure", slot.failure !== undefined);
    if (slot.failure !== undefined) {
      this.line.replaceChildren(...worded(slot.failure));
      this.area.replaceChildren();
    } else if (slot.result !== undefined) {
      this.line.textContent = this.say(slot.result);
      this.area.replaceChildren(...this.draw(slot.result).filter((node) => node !== undefined));
    } else {
      this.line.textContent = "";
      this.area.replaceChildren();
    }
  }
}

/** Returns whether the definition can have tests: only definitions of `.ogc` files can. */
export function canHaveTests({ target }: State): boolean {
  return target !== null && target.definition !== null;
}

/** Makes a link to a place in a source; a plain name if there is no place. */
export function place(host: Host, name: string, location: Location | null | undefined): HTMLElement {
  return location === null || location === undefined
    ? h("code", {}, name)
    : button(name, () => host.reveal(location), { class: "link code", title: "Show the source" });
}

/** A choice of a vocabulary, hidden if there is only one. */
export function vocabularyChoice(host: Host): { element: HTMLElement; update(state: State): void } {
  const select = h("select");
  select.addEventListener("change", () => host.input({ vocabulary: select.value }));
  const element = h("label", {}, h("span", {}, "Vocabulary"), select);
  const update = ({ vocabularies, inputs }: State) => {
    const same =
      vocabularies.length === select.options.length &&
      vocabularies.every((name, at) => select.options[at]?.value === name);
    if (!same) {
      select.replaceChildren(...vocabularies.map((name) => h("option", { value: name }, name)));
    }
    select.value = inputs.vocabulary;
    element.hidden = vocabularies.length < 2;
  };
  return { element, update };
}

/** Sets the text of a control, unless the user is typing into it. */
export function setValue(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  if (control.value !== value && (control !== document.activeElement || control instanceof HTMLSelectElement)) {
    control.value = value;
  }
}
