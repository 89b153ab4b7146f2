// Starts VS Code as code-server on a copy of a folder, and Chromium with it; both leave no files behind.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** This folder, and the root of the repository. */
export const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../../..");

/** The folder of the extension. */
export const EXTENSION = resolve(process.env.OGC_EXTENSION ?? join(ROOT, "editors/vscode"));

/** Returns the path of the packaged extension. */
export function packaged() {
  const name = readdirSync(EXTENSION).find((name) => name.endsWith(".vsix"));
  if (name === undefined) {
    throw new Error("the extension is not packaged: npm --prefix editors/vscode run package");
  }
  return join(EXTENSION, name);
}

/** The folder that install.sh filled, and the binary that is tested. */
const INSTALLED = required("OGC_EDITORS");
const OGC = required("OGC_BINARY");

const CHROMIUM = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function required(name) {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start this with tests/editors/run`);
  }
  return resolve(value);
}

/**
 * Runs `use` with a running editor. `settings` are the user's, `vsix` is installed if it is given, and `fill` may write files into the
 * workspace, a copy of `examples/`.
 */
export async function withEditor({ settings = {}, vsix, fill = () => {} }, use) {
  const folder = mkdtempSync(join(tmpdir(), "ogc-editor-"));
  const places = { workspace: "formats", data: "data", extensions: "extensions", chromium: "chromium" };
  for (const [name, inside] of Object.entries(places)) {
    places[name] = join(folder, inside);
  }
  const isSource = (path) => !/\.ogca(\.built)?$/.test(path);
  cpSync(join(ROOT, "examples"), places.workspace, { recursive: true, filter: isSource });
  fill(places.workspace);
  saveSettings(places, settings);
  const stops = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
  try {
    if (vsix !== undefined) {
      await run(serverArguments(places, ["--install-extension", vsix]), places);
    }
    const address = await start(places, stops);
    const browser = await open(places, stops);
    return await use({ ...places, address, browser });
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}

/** Settings that keep the window the same from run to run, and hide parts that are not under test. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "git.enabled": false,
  "chat.commandCenter.enabled": false,
  "window.commandCenter": false,
  "files.autoSave": "off",
};

/** Writes the user's settings; windows that are opened later have them. */
export function saveSettings({ data }, settings) {
  const path = join(data, "User/settings.json");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...QUIET, ...settings }));
}

function serverArguments({ data, extensions, workspace }, more) {
  const entry = join(INSTALLED, "node_modules/code-server/out/node/entry.js");
  const quiet = [
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-workspace-trust",
    "--disable-getting-started-override",
  ];
  const folders = [
    "--config",
    join(dirname(data), "config.yaml"),
    "--user-data-dir",
    data,
    "--extensions-dir",
    extensions,
  ];
  return [
    entry,
    "--auth",
    "none",
    ...quiet,
    ...folders,
    ...more,
    ...(more[0] === "--install-extension" ? [] : [workspace]),
  ];
}

/** The binary is found on PATH, as for a user; the shell's start files would set PATH again, so they are not read. */
function environment({ data }) {
  const { OGC_SKIPPED: _, ...rest } = { ...process.env, VSCODE_CLI: "1" };
  // Without an address, no gallery of extensions is contacted.
  const EXTENSIONS_GALLERY = JSON.stringify({ serviceUrl: "" });
  return {
    ...rest,
    EXTENSIONS_GALLERY,
    PATH: [dirname(OGC), rest.PATH].join(delimiter),
    XDG_DATA_HOME: data,
    XDG_CONFIG_HOME: data,
  };
}

/** Runs code-server until it ends. */
async function run(args, places) {
  const child = spawn(process.execPath, args, { env: environment(places), stdio: ["ignore", "pipe", "pipe"] });
  const output = listen(child);
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) {
    throw new Error(`code-server ended with ${code}:\n${output.text}`);
  }
}

/** Starts code-server on a free port; returns its address. */
async function start(places, stops) {
  const port = await freePort();
  const args = serverArguments(places, ["--bind-addr", `127.0.0.1:${port}`]);
  // A group of its own, because it has children that outlive it.
  const child = spawn(process.execPath, args, {
    env: environment(places),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output = listen(child);
  stops.push(() => stopGroup(child));
  for (let waited = 0; waited < 300; waited += 1) {
    if (child.exitCode !== null) {
      throw new Error(`code-server ended with ${child.exitCode}:\n${output.text}`);
    }
    if (output.text.includes("HTTP server listening")) {
      return `127.0.0.1:${port}`;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`code-server does not listen:\n${output.text}`);
}

async function stopGroup(child) {
  if (child.exitCode !== null) {
    return;
  }
  const ended = new Promise((done) => child.once("exit", done));
  process.kill(-child.pid, "SIGTERM");
  const late = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 3000);
  await ended;
  clearTimeout(late);
}

function listen(child) {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output.text += data;
    });
  }
  return output;
}

function freePort() {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function open({ chromium: profile }, stops) {
  const { chromium } = createRequire(join(INSTALLED, "package.json"))("playwright-core");
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: CHROMIUM,
    viewport: { width: 1360, height: 850 },
  });
  stops.push(() => context.close());
  return context;
}

/** The address of the window on a folder; `payload` are the window's parameters at its start. */
export function windowAddress({ address }, folder, payload = []) {
  const query = new URLSearchParams({ folder });
  if (payload.length > 0) {
    query.set("payload", JSON.stringify(payload));
  }
  return `http://${address}/?${query}`;
}
