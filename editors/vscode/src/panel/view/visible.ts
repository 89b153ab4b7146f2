/** Shows characters that are invisible, or that change the direction of text. */

/** A part of a text: the text itself, or a sign for an invisible character. */
export interface Part {
  text: string;
  isSign: boolean;
}

const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the invisible characters.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: they are listed one by one.
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** Splits a text into parts. A line end becomes a sign and then a line end, so that lines stay lines. */
export function visible(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > end) {
      parts.push({ text: text.slice(end, match.index), isSign: false });
    }
    parts.push({ text: sign(match[0]), isSign: true });
    if (match[0] === "\n") {
      parts.push({ text: "\n", isSign: false });
    }
    end = match.index + match[0].length;
  }
  if (end < text.length) {
    parts.push({ text: text.slice(end), isSign: false });
  }
  return parts;
}

function sign(character: string): string {
  switch (character) {
    case "\n":
      return "↵";
    case "\t":
      return "⇥";
    case "\r":
      return "␍";
    default:
      return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  }
}

/** Returns the text in one line, shortened, for lists. */
export function short(text: string, most = 60): string {
  const line = visible(text)
    .map((part) => (part.text === "\n" ? "" : part.text))
    .join("");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
