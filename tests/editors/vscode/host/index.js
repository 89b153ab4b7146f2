// The entry of the tests inside the extension host.
const { readdirSync } = require("node:fs");
const { join } = require("node:path");
const { activate, closeAll } = require("./lib.js");

const LIMIT_MS = 30_000;

exports.run = () => exports.runFolder(__dirname);

/** Runs the tests that the files *.test.js of a folder export, in order; fails if one of them fails. */
exports.runFolder = async (folder) => {
  await activate();
  const files = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
  const tests = files.flatMap((file) => Object.entries(require(join(folder, file))));
  const chosen = process.env.OGC_ONLY;
  const failures = [];
  for (const [name, test] of tests.filter(([name]) => chosen === undefined || name.includes(chosen))) {
    const begun = Date.now();
    try {
      await limited(test());
      console.log(`ok ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      failures.push(name);
      console.log(`FAILED ${name} (${Date.now() - begun} ms)\n${error?.stack ?? error}`);
    }
    await closeAll();
  }
  console.log(`${tests.length} tests, ${failures.length} failed`);
  if (failures.length > 0) {
    throw new Error(failures.join(", "));
  }
};

function limited(test) {
  let late;
  const limit = new Promise((_, failed) => {
    late = setTimeout(() => failed(new Error(`it takes over ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  return Promise.race([test, limit]).finally(() => clearTimeout(late));
}
