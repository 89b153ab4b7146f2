/** Makes a drawing of the server safe: rebuilds it from the elements and attributes that drawings need. */

const SVG = "http://www.w3.org/2000/svg";

const ELEMENTS = new Set("svg g path rect line polyline polygon circle ellipse text tspan title desc".split(" "));

const ATTRIBUTES = new Set(
  (
    "class d x y x1 y1 x2 y2 dx dy cx cy r rx ry points width height viewBox transform text-anchor dominant-baseline " +
    "textLength lengthAdjust role aria-label aria-hidden preserveAspectRatio"
  ).split(" "),
);

/** Elements that contain drawings but have effects of their own; only their content is kept. */
const UNWRAPPED = new Set(["a", "switch"]);

const DEEPEST = 256;

/** Returns the drawing, or `undefined` if the text is not a drawing. */
export function sanitise(source: string, parser: DOMParser, document: Document): SVGSVGElement | undefined {
  const root = parser.parseFromString(source, "image/svg+xml").documentElement as Element | null;
  if (root === null || root.localName !== "svg") {
    return undefined;
  }
  return copy(root, document, 0) as SVGSVGElement | undefined;
}

function copy(from: Element, document: Document, depth: number): Element | undefined {
  const name = from.localName;
  // The new element is SVG, whatever namespace the old one had.
  const isKnown = ELEMENTS.has(name);
  if (depth > DEEPEST || (!isKnown && !UNWRAPPED.has(name))) {
    return undefined;
  }
  const made = document.createElementNS(SVG, isKnown ? name : "g");
  for (const attribute of isKnown ? Array.from(from.attributes) : []) {
    if (ATTRIBUTES.has(attribute.name) && !/url\s*\(|javascript:/i.test(attribute.value)) {
      made.setAttribute(attribute.name, attribute.value);
    }
  }
  for (const child of Array.from(from.childNodes)) {
    const copied = copyNode(child, document, depth);
    if (copied !== undefined) {
      made.appendChild(copied);
    }
  }
  return made;
}

function copyNode(node: Node, document: Document, depth: number): Node | undefined {
  switch (node.nodeType) {
    case 1:
      return copy(node as Element, document, depth + 1);
    case 3:
    case 4:
      return document.createTextNode(node.nodeValue ?? "");
    default:
      return undefined;
  }
}
