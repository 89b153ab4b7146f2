/** The tab in which a text is tried. */
import type { Capture, MatchResult } from "../../requests.js";
import { button, count, h, labelled, shown, worded } from "./dom.js";
import type { Host, Part } from "./tab.js";
import { canHaveTests, place, Results, setValue, vocabularyChoice } from "./tab.js";

export function match(host: Host): Part {
  const text = h("textarea", { rows: 5, spellcheck: "false", autocomplete: "off" });
  text.addEventListener("input", () => host.typed({ text: text.value }));
  const vocabulary = vocabularyChoice(host);
  const add = button("Add as a test", () => host.addTest(text.value));
  // The text that the answer is about; the input may have changed since.
  let tried = "";
  const results = new Results<MatchResult>(
    (result) => verdict(result, tried),
    (result) => parts(host, result, tried),
  );
  return {
    title: "Try a text",
    element: h(
      "div",
      {},
      labelled("Text", text, { class: "wide" }),
      h("div", { class: "controls" }, vocabulary.element, add),
      results.line,
      results.area,
    ),
    update: (state) => {
      setValue(text, state.inputs.text);
      vocabulary.update(state);
      add.hidden = !canHaveTests(state);
      if (state.slots.match.waiting === undefined) {
        tried = state.inputs.text;
      }
      results.update(state.slots.match);
    },
  };
}

function verdict(result: MatchResult, text: string): string {
  if (result.accepted) {
    return "Accepted";
  }
  if (result.prefix >= text.length) {
    return text === "" ? "The empty text is not accepted" : "Accepted so far, but not complete";
  }
  return `Refused after ${count(result.prefix, "character")}`;
}

function parts(host: Host, result: MatchResult, text: string): (Node | undefined)[] {
  return [
    text === "" ? undefined : marked(result, text),
    facts(result, host, text),
    result.rules.length === 0 ? undefined : rules(host, result),
    result.tokens === null || result.tokens === undefined ? undefined : tokens(result.tokens),
    result.captures.length === 0 ? undefined : section("Captures", captures(result.captures)),
  ];
}

/** The text, with its rejected part marked. */
function marked(result: MatchResult, text: string): HTMLElement {
  const prefix = result.accepted ? text.length : result.prefix;
  const refused = text.slice(prefix);
  const mark =
    refused === ""
      ? undefined
      : h("mark", { class: "refused" }, h("span", { class: "unseen" }, "refused: "), ...shown(refused));
  return h("pre", { class: "text" }, h("span", { class: "accepted" }, ...shown(text.slice(0, prefix))), mark);
}

function facts(result: MatchResult, host: Host, text: string): HTMLElement {
  const list = h("dl", { class: "facts" });
  const add = (name: string, ...value: Node[]) => {
    if (value.length > 0) {
      list.append(h("dt", {}, name), h("dd", {}, value));
    }
  };
  const words = (text: string | null | undefined) => (text ? worded(text) : []);
  add("Why", ...words(result.reason));
  add("What to do", ...words(result.help));
  add("Expected there", ...words(result.expected));
  add("Value", ...(result.path ? [h("code", {}, result.path)] : []));
  if (!result.accepted && result.prefix > 0 && result.prefix < text.length && result.complete) {
    add("Up to there", ...words("a complete text"));
  }
  const explore = () => {
    host.input({ prefix: text.slice(0, result.prefix) });
    host.show("masks");
  };
  add("Masks", button("Show the tokens that may come there", explore, { class: "link" }));
  return list;
}

function rules(host: Host, result: MatchResult): HTMLElement {
  return section(
    "Inside of",
    h(
      "ol",
      { class: "trail" },
      result.rules.map((rule) => h("li", {}, place(host, rule.name, rule.location))),
    ),
  );
}

function tokens({ vocabulary, pieces }: NonNullable<MatchResult["tokens"]>): HTMLElement {
  const chips = pieces.map((piece) =>
    h(
      "li",
      {
        class: piece.accepted ? "token" : "token refused",
        title: `token ${piece.id}${piece.accepted ? "" : ", refused"}`,
      },
      ...shown(piece.text),
    ),
  );
  return section(`Tokens of ${vocabulary}`, h("ul", { class: "tokens" }, chips));
}

function captures(all: Capture[]): HTMLElement {
  const item = (capture: Capture) =>
    h(
      "li",
      {},
      h("code", { class: "name" }, capture.name),
      " ",
      h("code", { class: "text" }, ...shown(capture.text)),
      capture.captures.length === 0 ? undefined : captures(capture.captures),
    );
  return h("ul", { class: "captures" }, all.map(item));
}

function section(title: string, content: HTMLElement): HTMLElement {
  return h("section", {}, h("h3", {}, title), content);
}
