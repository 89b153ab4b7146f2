/** Decides whether a binary and a server fit this extension. */

/** The oldest version of `ogc` that this extension is written for. */
export const OLDEST = "0.1.0";

/** The version of the requests beyond the protocol. */
export const REQUESTS_VERSION = 1;

/** The result of the check of a binary or a server. */
export type Fit =
  | { kind: "fits" }
  | { kind: "too-old"; given: string }
  | { kind: "too-new"; given: string }
  | { kind: "not-ogc"; given: string };

/** Reads the output of `ogc --version`: `ogc 0.1.0`. */
export function readVersion(output: string): string | undefined {
  return /^ogc (\d+\.\d+\.\d+\S*)/.exec(output.trim())?.[1];
}

/** Checks the output of `ogc --version`. */
export function judgeVersion(output: string): Fit {
  const version = readVersion(output);
  if (version === undefined) {
    return { kind: "not-ogc", given: firstLine(output) };
  }
  return compare(version, OLDEST) < 0 ? { kind: "too-old", given: version } : { kind: "fits" };
}

/** Checks the capabilities in a server's answer to `initialize`. */
export function judgeCapabilities(capabilities: unknown): Fit {
  const version = member(member(member(capabilities, "experimental"), "ogc"), "version");
  if (version === REQUESTS_VERSION) {
    return { kind: "fits" };
  }
  if (typeof version !== "number") {
    return { kind: "too-old", given: "a server without the requests of ogc" };
  }
  const given = `version ${version} of the requests`;
  return version > REQUESTS_VERSION ? { kind: "too-new", given } : { kind: "too-old", given };
}

/** Describes the mismatch and what to do. */
export function advice(fit: Exclude<Fit, { kind: "fits" }>, path: string): string {
  switch (fit.kind) {
    case "too-old":
      return `${path} is too old for this extension (${fit.given}). Install ogc ${OLDEST} or later with \`ogc lsp\`, or set the path of another one.`;
    case "too-new":
      return `${path} is too new for this extension (${fit.given}). Update the extension, or set the path of an older ogc.`;
    case "not-ogc":
      return `${path} is not ogc (it says "${fit.given}"). Set the path of the ogc binary.`;
  }
}

/** Compares versions by their numbers; the part behind a hyphen is ignored. */
export function compare(a: string, b: string): number {
  const numbers = (version: string) => (version.split(/[-+]/)[0] ?? "").split(".").map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 80);
}
