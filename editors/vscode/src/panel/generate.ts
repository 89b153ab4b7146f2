/** Runs `ogc generate`: a language model writes a text of a format. */
import { spawn } from "node:child_process";
import type { GenerateResult } from "../requests.js";
import { Lines, type Message, readMessage } from "../tasks/messages.js";

/** The model and the format of a run. */
export interface Generation {
  binary: string;
  /** The model: the argument of `ogc generate --model`. */
  model: string;
  /** The path of the file. */
  file: string;
  /** The definition; `undefined` if the file is a single format. */
  definition: string | undefined;
  prompt: string;
  maxTokens: number;
}

/** Returns the arguments of the binary. */
export function argumentsOf({ model, file, definition, prompt, maxTokens }: Generation): string[] {
  const chosen = definition === undefined ? [] : ["-d", definition];
  const wanted = [`--prompt=${prompt}`, "--max-tokens", String(maxTokens)];
  return ["generate", "--message-format", "json", "--model", model, ...wanted, ...chosen, "--", file];
}

/** The content of the messages of a run so far. */
export class Reading {
  result: GenerateResult = { text: "", note: "" };
  failure: string | undefined;

  /** Takes a message; returns whether the text has grown. */
  take(message: Message): boolean {
    switch (message.type) {
      case "piece":
        this.result = { ...this.result, text: this.result.text + String(message.text ?? "") };
        return true;
      case "generated":
        this.result = { text: String(message.text ?? ""), note: noteOf(message) };
        return true;
      case "problem":
      case "diagnostic":
        if (message.type === "problem" || message.severity === "error") {
          this.failure ??= String(message.message ?? "it failed");
        }
        return false;
      default:
        return false;
    }
  }
}

/** Describes the tokens and the time that a text took. */
function noteOf({ tokens, forced, model_ms: model, mask_ms: mask }: Message): string {
  const count = (value: unknown) => (typeof value === "number" ? value : 0);
  const time = (count(model) + count(mask)) / 1000;
  return `${count(tokens)} tokens, ${count(forced)} of them forced by the format, in ${time.toFixed(1)} s`;
}

/** Runs the model; `onText` gets the growing text. If `signal` is aborted, the run ends early with the text so far. */
export function generate(
  generation: Generation,
  signal: AbortSignal,
  onText: (result: GenerateResult) => void,
): Promise<GenerateResult> {
  return new Promise((resolve, reject) => {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(generation.binary, argumentsOf(generation), { windowsHide: true, stdio });
    const lines = new Lines();
    const reading = new Reading();
    let said = "";
    const read = (all: string[]) => {
      const grown = all.map(readMessage).filter((message) => message !== undefined && reading.take(message));
      if (grown.length > 0) {
        onText(reading.result);
      }
    };
    signal.addEventListener("abort", () => child.kill());
    child.stdout.setEncoding("utf8").on("data", (piece: string) => read(lines.add(piece)));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      said = (said + piece).slice(-2000);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      read(lines.end());
      if (signal.aborted) {
        resolve({ ...reading.result, note: "stopped" });
      } else if (code === 0 && reading.failure === undefined) {
        resolve(reading.result);
      } else {
        reject(new Error(reading.failure ?? (said.trim() || `\`ogc generate\` ended with ${code}`)));
      }
    });
  });
}
