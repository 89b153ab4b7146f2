// Tests Codex with `ogc serve` in front of a server that only knows chats; here, that server calls Codex's tool for commands and then
// repeats the tool's output. This is a whole turn of an agent over responses. Arguments are Codex and the server.

import assert from "node:assert";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [codex, ogc] = process.argv.slice(2);
const running = [];
const folder = mkdtempSync(join(tmpdir(), "ogc-codex-"));

const part = (delta, finish_reason = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const call = (called) => part({ tool_calls: [{ index: 0, id: "c", type: "function", function: called }] });

// The output of the model behind the server: a call in small pieces, then a text.
function written(messages) {
  const last = messages.at(-1);
  if (last.role === "tool") return part({ content: `It said ${/from-codex/.exec(JSON.stringify(last.content))}.` }) + part({}, "stop");
  const pieces = JSON.stringify({ cmd: "echo from-codex > made.txt; cat made.txt" }).match(/.{1,7}/g);
  const begun = part({ reasoning_content: "A command." }) + call({ name: "exec_command", arguments: "" });
  return begun + pieces.map((piece) => call({ arguments: piece })).join("") + part({}, "tool_calls");
}

async function listen() {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const more of request) body += more;
    response.setHeader("content-type", "text/event-stream").end(`${written(JSON.parse(body).messages)}data: [DONE]\n\n`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function serve(upstream) {
  const flags = ["--upstream", upstream, "--listen", "127.0.0.1:0", "--message-format", "json"];
  const child = spawn(ogc, ["serve", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  let said = "";
  for await (const more of child.stdout) {
    said += more;
    if (said.includes("\n")) return JSON.parse(said).url;
  }
  throw new Error("the server does not run");
}

// Runs Codex in an empty folder; returns its output.
async function run(url) {
  const [home, work] = ["home", "work"].map((name) => join(folder, name));
  [home, work].forEach((path) => mkdirSync(path));
  const provider = `[model_providers.ogc]\nname = "ogc"\nbase_url = "${url}"\nwire_api = "responses"\n`;
  writeFileSync(join(home, "config.toml"), `model = "m"\nmodel_provider = "ogc"\nweb_search = "disabled"\n${provider}`);
  const flags = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "Run a command."];
  const child = spawn(codex, flags, { cwd: work, env: { ...process.env, CODEX_HOME: home }, stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  let said = "";
  for await (const more of child.stdout) said += more;
  assert.equal(readFileSync(join(work, "made.txt"), "utf8"), "from-codex\n");
  return said;
}

const upstream = await listen();
try {
  const said = await run(await serve(`http://127.0.0.1:${upstream.address().port}`));
  assert.match(said, /It said from-codex\./);
  console.log("codex ok");
} finally {
  for (const child of running) child.kill("SIGKILL");
  upstream.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
