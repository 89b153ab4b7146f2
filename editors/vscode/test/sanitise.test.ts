/** That drawings of the server can do nothing but be seen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser, parseHTML } from "linkedom";
import { sanitise } from "../src/panel/view/sanitise.js";
import { short, visible } from "../src/panel/view/visible.js";

const { document } = parseHTML("<html><body></body></html>");
const SVG = 'xmlns="http://www.w3.org/2000/svg"';

function clean(source: string): string | undefined {
  const parser = new DOMParser() as unknown as globalThis.DOMParser;
  return sanitise(source, parser, document as unknown as Document)?.outerHTML;
}

test("drawing elements are kept", () => {
  const drawn = clean(
    `<svg ${SVG} class="rail" viewBox="0 0 9 9" width="9"><title>a &lt; b</title><g class="terminal"><rect x="1" rx="3"/><text textLength="8">x</text></g><path class="line" d="M0 1 H2"/></svg>`,
  );
  for (const kept of [
    'class="rail"',
    'viewBox="0 0 9 9"',
    "a &lt; b",
    '<g class="terminal">',
    'rx="3"',
    'textLength="8"',
    'd="M0 1 H2"',
  ]) {
    assert.ok(drawn?.includes(kept), `${kept} in ${drawn}`);
  }
});

test("scripts and foreign content are removed", () => {
  const drawn = clean(
    `<svg ${SVG}><script>alert(1)</script><foreignObject><body><img src="x"/></body></foreignObject><style>*{}</style><image href="http://x"/><use href="#a"/><set attributeName="d"/><g>kept</g></svg>`,
  );
  assert.match(drawn ?? "", /^<svg[^>]*><g>kept<\/g><\/svg>$/);
});

test("handlers, styles and addresses are removed", () => {
  const drawn = clean(
    `<svg ${SVG} onload="a()"><rect onclick="b()" style="fill:red" fill="url(http://x)" id="i" href="x" x="1" class="url(x)"/></svg>`,
  );
  assert.match(drawn ?? "", /^<svg[^>]*><rect x="1"\s*\/?>(<\/rect>)?<\/svg>$/);
  assert.doesNotMatch(drawn ?? "", /onload|onclick|style|url|href/);
});

test("links lose their address and keep their content", () => {
  assert.match(clean(`<svg ${SVG}><a href="javascript:x()"><text>n</text></a></svg>`) ?? "", /<g><text>n<\/text><\/g>/);
});

test("input that is no drawing is refused", () => {
  assert.equal(clean("<html><body/></html>"), undefined);
  assert.equal(clean("<p>svg</p>"), undefined);
});

test("too deep nesting is cut off", () => {
  const deep = `<svg ${SVG}>${"<g>".repeat(400)}${"</g>".repeat(400)}</svg>`;
  assert.ok((clean(deep)?.match(/<g/g)?.length ?? 0) <= 256);
});

test("invisible characters are shown", () => {
  const signs = (text: string) =>
    visible(text)
      .map(({ text, isSign }) => (isSign ? `[${text}]` : text))
      .join("");
  assert.equal(signs("a b"), "a b");
  assert.equal(signs("a\tb\nc"), "a[⇥]b[↵]\nc");
  assert.equal(signs("\u202eabc\u0000"), "[\\u{202e}]abc[\\u{0}]");
  assert.equal(signs("é\u00a0𝄞"), "é[\\u{a0}]𝄞");
  assert.equal(visible("").length, 0);
});

test("long texts are shortened to one line", () => {
  assert.equal(short("a\nb"), "a↵b");
  assert.equal(short("x".repeat(80), 10), `${"x".repeat(9)}…`);
});
