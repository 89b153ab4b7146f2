/** The page of the panel: events change the state, questions go to the extension, and the page shows the new state. */
import type { FromPage, Tab, ToPage } from "../protocol.js";
import { costs } from "./costs.js";
import { diagram } from "./diagram.js";
import { difference } from "./difference.js";
import { h } from "./dom.js";
import { exportTab } from "./export.js";
import { masks } from "./masks.js";
import { match } from "./match.js";
import { model } from "./model.js";
import { samples } from "./samples.js";
import { type Event, type Inputs, initial, type Kept, keep, reduce } from "./state.js";
import type { Host, Part } from "./tab.js";
import { tabs } from "./tabs.js";

interface VsCode {
  postMessage(message: FromPage): void;
  getState(): Partial<Kept> | undefined;
  setState(state: Kept): void;
}

declare function acquireVsCodeApi(): VsCode;

/** The pause in typing after which the text is tried. */
const PAUSE_MS = 200;

const vscode = acquireVsCodeApi();
let state = initial(vscode.getState());

function dispatch(event: Event): void {
  const step = reduce(state, event);
  state = step.state;
  vscode.setState(keep(state));
  for (const question of step.questions) {
    vscode.postMessage({ kind: "ask", ...question });
  }
  draw();
}

let typing: ReturnType<typeof setTimeout> | undefined;
let typed: Partial<Inputs> = {};

/** Applies the typed input before anything else happens. */
function flush(): void {
  clearTimeout(typing);
  const inputs = typed;
  typed = {};
  if (Object.keys(inputs).length > 0) {
    dispatch({ kind: "input", inputs });
  }
}

const host: Host = {
  input: (inputs) => {
    flush();
    dispatch({ kind: "input", inputs });
  },
  typed: (inputs) => {
    typed = { ...typed, ...inputs };
    clearTimeout(typing);
    typing = setTimeout(flush, PAUSE_MS);
  },
  run: (slot) => {
    flush();
    dispatch({ kind: "run", slot });
  },
  show: (tab) => dispatch({ kind: "show", tab, run: false }),
  reveal: (location) => vscode.postMessage({ kind: "reveal", location }),
  copy: (text) => vscode.postMessage({ kind: "copy", text }),
  addTest: (text) => vscode.postMessage({ kind: "add-test", text }),
  open: (text, notation) => vscode.postMessage({ kind: "open", text, notation }),
  stop: () => vscode.postMessage({ kind: "stop" }),
  settings: (setting) => vscode.postMessage({ kind: "settings", setting }),
};

const parts: Record<Tab, Part> = {
  diagram: diagram(host),
  samples: samples(host),
  match: match(host),
  masks: masks(host),
  costs: costs(host),
  difference: difference(host),
  export: exportTab(host),
  model: model(host),
};
const bar = tabs(parts, host.show);
const title = h("h1");
const file = h("p", { class: "soft" });
const note = h("p", { role: "status", class: "note" });
const body = h("main", {}, bar.list, ...bar.panels);

function draw(): void {
  const { target } = state;
  title.textContent = target === null ? "ogc" : (target.definition ?? target.file);
  file.textContent = target === null || target.definition === null ? "" : target.file;
  note.textContent = state.note;
  body.hidden = target === null;
  bar.select(state.tab);
  parts[state.tab].update(state);
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => dispatch(data));
document.body.append(h("header", {}, title, file), note, body);
draw();
vscode.postMessage({ kind: "ready" });
