/** The tab with the railroad diagram. */
import { h } from "./dom.js";
import { sanitise } from "./sanitise.js";
import type { Host, Part } from "./tab.js";
import { Results } from "./tab.js";

/** The minimum scale of a drawing that is made smaller to fit, so that its words stay readable. */
const LEAST = 0.75;

export function diagram(_host: Host): Part {
  const results = new Results<{ name: string; svg: string }>(
    () => "",
    ({ name, svg }) => {
      const drawing = sanitise(svg, new DOMParser(), document);
      if (drawing === undefined) {
        return [h("p", { class: "failure" }, "The server sent no drawing.")];
      }
      drawing.classList.add("rail");
      fit(drawing);
      drawing.setAttribute("role", "img");
      drawing.setAttribute("aria-label", `Railroad diagram of ${name}`);
      // The arrow keys scroll a wide drawing.
      return [
        h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Diagram" }, drawing as unknown as Node),
      ];
    },
  );
  return {
    title: "Diagram",
    element: h("div", {}, results.line, results.area),
    update: ({ slots }) => results.update(slots.diagram),
  };
}

/** Scales a drawing to the size that the page needs, within bounds. */
function fit(drawing: SVGSVGElement): void {
  const width = Number(drawing.getAttribute("width"));
  if (width > 0 && drawing.hasAttribute("viewBox")) {
    drawing.removeAttribute("height");
    drawing.setAttribute("width", "100%");
    drawing.style.maxWidth = `${width}px`;
    drawing.style.minWidth = `${width * LEAST}px`;
  }
}
