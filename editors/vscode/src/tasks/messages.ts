/** Reads the lines of `--message-format json`: converts findings to problems, and all messages to words. Does not use the editor. */

/** A message; only `type` is known. */
export type Message = Record<string, unknown>;

/** A place in a file: lines and columns from 0, columns in UTF-16 units. */
export interface Place {
  line: number;
  character: number;
}

/** A finding, as an editor shows it. */
export interface Problem {
  file: string;
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  start: Place;
  end: Place;
  /** Other places of the same file that explain it. */
  related: { message: string; start: Place; end: Place }[];
}

/** Reads messages from whole lines; other lines are left out. */
export function readMessages(output: string): Message[] {
  return output
    .split("\n")
    .map(readMessage)
    .filter((message) => message !== undefined);
}

/** Reads the message of a line. */
export function readMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value.type === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Splits a stream into lines; an unfinished line waits for the rest. */
export class Lines {
  private rest = "";

  /** Returns the lines that end in this piece. */
  add(piece: string): string[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines;
  }

  /** Returns the last line, if something is left. */
  end(): string[] {
    const rest = this.rest;
    this.rest = "";
    return rest === "" ? [] : [rest];
  }
}

/** Returns the problem that a message is about. `textOf` reads a file, or returns `undefined` if it cannot. */
export function problemOf(message: Message, textOf: (file: string) => string | undefined): Problem | undefined {
  const file = message.file;
  if (message.type !== "diagnostic" || typeof file !== "string") {
    return undefined;
  }
  const text = textOf(file);
  const help = typeof message.help === "string" ? `\n${message.help}` : "";
  const labels = Array.isArray(message.labels) ? message.labels.filter(isObject) : [];
  return {
    file,
    severity: severityOf(message.severity),
    code: String(message.code ?? ""),
    message: `${String(message.message ?? "")}${help}`,
    ...rangeOf(message.span, text),
    related: labels.map((label) => {
      return { message: String(label.message ?? ""), ...rangeOf(label.span, text) };
    }),
  };
}

function severityOf(severity: unknown): Problem["severity"] {
  return severity === "warning" || severity === "note" ? severity : "error";
}

/** Returns the range of a span: by its bytes if the text is known, else by its line and column. */
function rangeOf(span: unknown, text: string | undefined): { start: Place; end: Place } {
  const number = (key: string) => (isObject(span) && typeof span[key] === "number" ? (span[key] as number) : 0);
  if (text !== undefined) {
    const [start, end] = placesOf(text, number("start"), number("end"));
    return { start, end };
  }
  const start = { line: Math.max(0, number("line") - 1), character: Math.max(0, number("column") - 1) };
  return { start, end: { line: start.line, character: start.character + 1 } };
}

/** Returns the places of two byte offsets of a text in UTF-8. */
export function placesOf(text: string, start: number, end: number): [Place, Place] {
  const bytes = Buffer.from(text, "utf8");
  const place = (offset: number): Place => {
    const before = bytes.subarray(0, offset).toString("utf8");
    const lines = before.split("\n");
    // Editors do not show a byte order mark.
    const mark = lines.length === 1 && before.startsWith("\ufeff") ? 1 : 0;
    return { line: lines.length - 1, character: (lines.at(-1)?.length ?? 0) - mark };
  };
  return [place(start), place(Math.max(start, end))];
}

/** Returns a message in words, for a terminal; `undefined` if there is nothing to show. */
export function inWords(message: Message): string | undefined {
  const text = (key: string) => String(message[key] ?? "");
  switch (message.type) {
    case "diagnostic":
      return `${placeInWords(message)}: ${text("severity")}: ${text("message")} [${text("code")}]${helpOf(message)}`;
    case "problem":
      return `error: ${text("message")}${helpOf(message)}`;
    case "artifact":
      return `${message.up_to_date === true ? "up to date" : "built"} ${text("path")}`;
    case "case":
      return message.holds === true ? undefined : `${placeInWords(message)}: a case of ${text("test")} fails`;
    case "fixed":
      return `corrected ${text("file")}`;
    case "summary":
      return summaryInWords(message);
    default:
      return undefined;
  }
}

function helpOf(message: Message): string {
  return typeof message.help === "string" ? `\n    ${message.help}` : "";
}

/** A place in the form that terminals turn into a link. */
function placeInWords(message: Message): string {
  const span = message.span;
  const [line, column] = isObject(span) ? [span.line, span.column] : [1, 1];
  return `${String(message.file)}:${String(line)}:${String(column)}`;
}

/** All counts that the summary has. */
function summaryInWords(summary: Message): string {
  const leftOut = ["type", "command", "exit_code"];
  const counts = Object.entries(summary).filter(([key, value]) => !leftOut.includes(key) && typeof value === "number");
  const said = counts
    .filter(([, value]) => value !== 0)
    .map(([key, value]) => `${String(value)} ${key.replaceAll("_", " ")}`);
  return `${String(summary.command)}: ${said.length === 0 ? "nothing to say" : said.join(", ")}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
