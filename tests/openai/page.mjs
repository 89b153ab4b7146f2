// Tests a web page in a real browser with `ogc serve`: a page of a foreign origin is rejected; a page of an allowed origin sends
// requests, streams, and gets errors. The page is served here, at another port than the server's, and reports its results; arguments are
// the browser, the server and the model.

import assert from "node:assert";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [browser, ogc, model] = process.argv.slice(2);
const running = [];

// The script of the page: it uses the server, and its results are text.
async function ask(url) {
  const post = (path, body) => fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const tried = async (what) => {
    try {
      return await what();
    } catch (error) {
      return error.name;
    }
  };
  const input = { input: "Hello", max_output_tokens: 5 };
  return {
    models: await tried(async () => (await (await fetch(url + "/models")).json()).data.length),
    response: await tried(async () => (await (await post("/responses", input)).json()).status),
    streamed: await tried(async () => (await (await post("/responses", { ...input, stream: true })).text()).includes("response.output_text.done")),
    refused: await tried(async () => (await (await post("/responses", { input: 5 })).json()).error.param),
    // A request without a preflight must have no effect on the server.
    simple: await tried(async () => (await fetch(url + "/responses", { method: "POST", body: JSON.stringify(input) })).status),
  };
}

async function listen(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

async function serve(flags) {
  const child = spawn(ogc, ["serve", "--model", model, "--listen", "127.0.0.1:0", "--message-format", "json", ...flags]);
  running.push(child);
  let said = "";
  for await (const part of child.stdout) {
    said += part;
    if (said.includes("\n")) return JSON.parse(said).url;
  }
  throw new Error("the server does not run");
}

// Opens the page for a server in the browser; returns the page's report.
async function visit(page, url, results) {
  const profile = mkdtempSync(join(tmpdir(), "ogc-page-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const child = spawn(browser, [...flags, `${page}/?${encodeURIComponent(url)}`], { stdio: "ignore", detached: true });
  // The browser has processes of its own, which write into the profile until they end.
  const kill = () => child.exitCode === null && process.kill(-child.pid, "SIGKILL");
  running.push({ kill });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    return await Promise.race([results.next(), new Promise((_, reject) => setTimeout(() => reject(new Error("the page tells nothing")), 90_000))]);
  } finally {
    kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    running.splice(running.findIndex((other) => other.kill === kill), 1);
  }
}

const results = { waiting: undefined, next: () => new Promise((resolve) => (results.waiting = resolve)) };
const script = `${ask}; ask(decodeURIComponent(location.search.slice(1))).then((told) => fetch("/told", { method: "POST", body: JSON.stringify(told) }))`;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.url === "/told") results.waiting?.(JSON.parse(body));
  response.setHeader("content-type", "text/html").end(`<!doctype html><script>${script}</script>`);
});
try {
  const page = await listen(server);
  const foreign = await visit(page, await serve([]), results);
  assert.deepEqual(foreign, { models: "TypeError", response: "TypeError", streamed: "TypeError", refused: "TypeError", simple: "TypeError" });
  console.log("foreign page refused");
  const allowed = await visit(page, await serve(["--allow-origin", page]), results);
  assert.ok(["incomplete", "completed"].includes(allowed.response), allowed.response);
  assert.deepEqual({ ...allowed, response: "" }, { models: 1, response: "", streamed: true, refused: "input", simple: 415 });
  console.log("allowed page answered");
} finally {
  for (const child of running) child.kill("SIGKILL");
  server.close();
}
