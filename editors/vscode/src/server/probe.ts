/** Runs a binary to get its version, and implements the system for the search of the binary. */
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import type { System } from "./discover.js";

/** The system that this runs on. */
export const SYSTEM: System = {
  platform: process.platform,
  isExecutable,
  join,
  environment: process.env,
};

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The result of a short run of the binary. */
export interface Answer {
  /** `null` if it could not be run at all. */
  code: number | null;
  output: string;
}

/** Runs the binary for a moment; never throws. */
export function ask(path: string, args: string[], limitMs = 10_000): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(path, args, { timeout: limitMs, windowsHide: true }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, output: stdout || stderr || (error?.message ?? "") });
    });
  });
}
