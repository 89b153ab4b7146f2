/** Builds elements. All text is inserted as text, never as markup. */
import { visible } from "./visible.js";

type Child = Node | string | undefined;

/** The attributes of an element; `undefined` and `false` leave an attribute out. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** Makes an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

/** Makes a button with an action. */
export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = h("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

/** Makes a label around a control. */
export function labelled(text: string, control: HTMLElement, attributes: Attributes = {}): HTMLLabelElement {
  return h("label", attributes, h("span", {}, text), control);
}

/** Shows a text with all of its characters visible. */
export function shown(text: string): Node[] {
  return visible(text).map((part) =>
    part.isSign ? h("span", { class: "sign" }, part.text) : document.createTextNode(part.text),
  );
}

/** Shows a text of the server, in which code is between grave accents. */
export function worded(text: string): Node[] {
  return text.split(/(`[^`]+`)/).map((part) => {
    const isCode = part.length > 2 && part.startsWith("`") && part.endsWith("`");
    return isCode ? h("code", {}, part.slice(1, -1)) : document.createTextNode(part);
  });
}

/** Makes a table. */
export function table(caption: string, heads: string[], rows: (Node | string)[][]): HTMLElement {
  const head = h(
    "tr",
    {},
    heads.map((text) => h("th", { scope: "col" }, text)),
  );
  const body = rows.map((cells) =>
    h(
      "tr",
      {},
      cells.map((cell) => h("td", {}, cell)),
    ),
  );
  return h(
    "div",
    { class: "scroll" },
    h("table", {}, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, body)),
  );
}

/** Writes a size for people. */
export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let [size, unit] = [count, 0];
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
