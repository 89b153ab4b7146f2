/** Runs `ogc` with messages for machines: its lines become problems, and text in a terminal. */
import { type ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";
import { inWords, Lines, readMessage } from "./messages.js";
import type { Problems } from "./problems.js";

/** A terminal without a shell, in which one command runs. */
export class Run implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<number>();
  private child: ChildProcess | undefined;
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;

  constructor(
    private readonly binary: string | undefined,
    private readonly args: string[],
    private readonly folder: string | undefined,
    private readonly problems: Problems,
    private readonly source: string,
  ) {}

  open(): void {
    if (this.binary === undefined) {
      this.say("There is no ogc binary; set `ogc.server.path`.");
      this.closed.fire(3);
      return;
    }
    this.say(`ogc ${this.args.join(" ")}`);
    this.problems.begin(this.source);
    this.run(this.binary);
  }

  close(): void {
    this.child?.kill();
  }

  /** Ctrl+C stops the command. */
  handleInput(keys: string): void {
    if (keys === "\x03") {
      this.child?.kill();
    }
  }

  private run(binary: string): void {
    const child = spawn(binary, this.args, { cwd: this.folder, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    const lines = new Lines();
    child.stdout.setEncoding("utf8").on("data", (piece: string) => this.readAll(lines.add(piece)));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => this.say(piece.trimEnd()));
    child.on("error", (error) => this.finish(3, error.message));
    child.on("close", (code) => {
      this.readAll(lines.end());
      this.finish(code ?? 1);
    });
  }

  private readAll(lines: string[]): void {
    for (const line of lines) {
      this.read(line);
    }
  }

  private read(line: string): void {
    const message = readMessage(line);
    if (message === undefined) {
      return;
    }
    this.problems.add(this.source, message, this.folder);
    const words = inWords(message);
    if (words !== undefined) {
      this.say(words);
    }
  }

  private finish(code: number, trouble?: string): void {
    if (this.child === undefined) {
      return;
    }
    this.child = undefined;
    if (trouble !== undefined) {
      this.say(trouble);
    }
    this.problems.end(this.source);
    this.closed.fire(code);
  }

  private say(text: string): void {
    this.written.fire(`${shown(text).replace(/\r?\n/g, "\r\n")}\r\n`);
  }
}

/** Removes characters of a message that control the terminal. */
function shown(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that control terminals.
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "\ufffd");
}
