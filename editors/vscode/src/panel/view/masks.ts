/** The tab that shows the tokens that may come after a beginning, and the reason why a token may not. */
import type { MaskResult, TokenResult } from "../../requests.js";
import { button, count, h, labelled, shown, worded } from "./dom.js";
import type { Host, Part } from "./tab.js";
import { Results, setValue, vocabularyChoice } from "./tab.js";
import { short } from "./visible.js";

export function masks(host: Host): Part {
  const prefix = h("textarea", { rows: 3, spellcheck: "false", autocomplete: "off" });
  prefix.addEventListener("input", () => host.typed({ prefix: prefix.value }));
  const filter = h("input", { type: "search", size: 12, spellcheck: "false" });
  filter.addEventListener("input", () => host.typed({ filter: filter.value }));
  const vocabulary = vocabularyChoice(host);
  const { form, token } = why(host);
  const choose = (token: string) => {
    host.input({ token });
    host.run("token");
  };
  const mask = new Results<MaskResult>(said, ({ groups }) => groups.map((group) => drawGroup(group, choose)));
  const explained = new Results<TokenResult>(saidOfToken, (result) => explanation(host, prefix, result));
  return {
    title: "Masks",
    element: h(
      "div",
      {},
      labelled("After this beginning", prefix, { class: "wide" }),
      h("div", { class: "controls" }, vocabulary.element, labelled("Containing", filter)),
      form,
      explained.line,
      explained.area,
      mask.line,
      mask.area,
    ),
    update: (state) => {
      setValue(prefix, state.inputs.prefix);
      setValue(filter, state.inputs.filter);
      setValue(token, state.inputs.token);
      vocabulary.update(state);
      explained.update(state.slots.token);
      mask.update(state.slots.mask);
    },
  };
}

/** The question why a token may or may not come. */
function why(host: Host): { form: HTMLElement; token: HTMLInputElement } {
  const token = h("input", { type: "text", size: 12, spellcheck: "false", placeholder: "text, or #id" });
  const form = h(
    "form",
    { class: "controls" },
    labelled("Why this token?", token),
    h("button", { type: "submit" }, "Explain"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    host.input({ token: token.value });
    host.run("token");
  });
  return { form, token };
}

function said({ allowed, total, complete, vocabulary }: MaskResult): string {
  const end = complete ? "; generation may end here" : "";
  return `${allowed.toLocaleString("en")} of ${count(total, "token")} of ${vocabulary} may come${end}`;
}

function drawGroup(
  { title, count: all, tokens }: MaskResult["groups"][number],
  choose: (token: string) => void,
): HTMLElement {
  const chips = tokens.map(({ id, text }) => {
    const chip = button("", () => choose(`#${id}`), { class: "token", title: `token ${id}` });
    chip.append(...shown(text));
    return h("li", {}, chip);
  });
  const more =
    all > tokens.length
      ? h("p", { class: "soft" }, `and ${count(all - tokens.length, "more", "more")}; narrow them with “Containing”`)
      : undefined;
  return h(
    "details",
    { open: true },
    h("summary", {}, `${title} `, h("span", { class: "soft" }, all.toLocaleString("en"))),
    h("ul", { class: "tokens" }, chips),
    more,
  );
}

function saidOfToken(result: TokenResult): string {
  return `Token ${result.id} “${short(result.text)}” ${result.allowed ? "may come" : "may not come"}`;
}

function explanation(host: Host, prefix: HTMLTextAreaElement, result: TokenResult): (Node | undefined)[] {
  const append = () => {
    const text = prefix.value + result.text;
    prefix.value = text;
    host.input({ prefix: text });
  };
  const { location } = result;
  const source = location
    ? h(
        "p",
        {},
        button("Show the place that decides this", () => host.reveal(location), { class: "link" }),
      )
    : undefined;
  if (result.allowed) {
    return [source, h("p", {}, button("Append it to the beginning", append))];
  }
  return [
    h(
      "pre",
      { class: "text" },
      h("span", { class: "accepted" }, ...shown(result.accepted)),
      h("mark", { class: "refused" }, ...shown(result.text.slice(result.accepted.length))),
    ),
    result.reason ? h("p", {}, worded(result.reason)) : undefined,
    source,
  ];
}
