// Finds texts of a page whose contrast is too low.

/** Runs inside of the page: returns the texts whose contrast to their background is below 4.5, as WCAG defines it, with the contrast. */
export function faint() {
  const LEAST = 4.5;
  const channels = (color) => {
    const numbers = (color.match(/[\d.]+/g) ?? []).map(Number);
    const scale = color.startsWith("color(") ? 255 : 1;
    return { rgb: numbers.slice(0, 3).map((value) => value * scale), alpha: numbers[3] ?? 1 };
  };
  const over = (front, back) => {
    const { rgb, alpha } = channels(front);
    return rgb.map((value, at) => value * alpha + back[at] * (1 - alpha));
  };
  // The page itself is transparent: the editor's background is behind it.
  const probe = document.createElement("i");
  probe.style.color = "var(--vscode-editor-background)";
  document.body.append(probe);
  const page = channels(getComputedStyle(probe).color).rgb;
  probe.remove();
  const background = (element) => {
    if (element === null) {
      return page;
    }
    const color = getComputedStyle(element).backgroundColor;
    return channels(color).alpha === 1 ? channels(color).rgb : over(color, background(element.parentElement));
  };
  const luminance = (rgb) => {
    const linear = rgb.map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ data }) => data.trim());
    const text = own.join("");
    if (
      text === "" ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
      element.matches(":disabled")
    ) {
      continue;
    }
    const style = getComputedStyle(element);
    const inDrawing = element instanceof SVGElement;
    const behind = background(inDrawing ? element.ownerSVGElement : element);
    const measured = contrast(over(inDrawing ? style.fill : style.color, behind), behind);
    if (measured < LEAST) {
      found.push(`${measured.toFixed(1)}: ${text.slice(0, 40)}`);
    }
  }
  return [...new Set(found)];
}
