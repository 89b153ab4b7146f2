/** The tabs: arrow keys, Home and End choose among them, Tab moves into the one that is shown. */
import { TABS, type Tab } from "../protocol.js";
import { h } from "./dom.js";
import type { Part } from "./tab.js";

export interface Tabs {
  list: HTMLElement;
  panels: HTMLElement[];
  select(tab: Tab): void;
}

export function tabs(parts: Record<Tab, Part>, choose: (tab: Tab) => void): Tabs {
  const heads = TABS.map((tab) => head(tab, parts[tab].title, choose));
  const panels = TABS.map((tab) => panel(tab, parts[tab].element));
  const list = h("div", { role: "tablist", "aria-label": "Views of the format" }, heads);
  list.addEventListener("keydown", (event) => {
    const at = heads.findIndex((head) => head.matches(":focus"));
    const next = at === -1 ? undefined : moved(event.key, at, heads.length);
    const tab = next === undefined ? undefined : TABS[next];
    if (next !== undefined && tab !== undefined) {
      event.preventDefault();
      heads[next]?.focus();
      choose(tab);
    }
  });
  const select = (tab: Tab) => {
    TABS.forEach((one, at) => {
      const isShown = one === tab;
      heads[at]?.setAttribute("aria-selected", String(isShown));
      heads[at]?.setAttribute("tabindex", isShown ? "0" : "-1");
      panels[at]?.toggleAttribute("hidden", !isShown);
    });
  };
  return { list, panels, select };
}

function head(tab: Tab, title: string, choose: (tab: Tab) => void): HTMLButtonElement {
  const made = h("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": `panel-${tab}` }, title);
  made.addEventListener("click", () => choose(tab));
  return made;
}

function panel(tab: Tab, element: HTMLElement): HTMLElement {
  return h("div", { role: "tabpanel", id: `panel-${tab}`, "aria-labelledby": `tab-${tab}`, tabindex: 0 }, element);
}

/** Returns the tab that a key chooses. */
export function moved(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % length;
    case "ArrowLeft":
      return (at + length - 1) % length;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default:
      return undefined;
  }
}
