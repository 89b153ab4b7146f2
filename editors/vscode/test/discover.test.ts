/** Where the binary is found, on each system. */
import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import { discover, type System } from "../src/server/discover.js";

function system(files: string[], path: string, platform = "linux"): System {
  const join = platform === "win32" ? win32.join : posix.join;
  return {
    platform,
    join,
    isExecutable: (file) => files.includes(file),
    environment: { [platform === "win32" ? "Path" : "PATH"]: path },
  };
}

test("the setting comes first", () => {
  const files = ["/opt/ogc", "/ext/server/ogc", "/bin/ogc"];
  assert.deepEqual(discover("/opt/ogc", "/ext", system(files, "/bin")), {
    kind: "found",
    path: "/opt/ogc",
    origin: "setting",
  });
});

test("a setting that names no program is reported, and nothing else is tried", () => {
  const found = discover("/opt/ogc", "/ext", system(["/ext/server/ogc", "/bin/ogc"], "/bin"));
  assert.deepEqual(found, { kind: "setting-missing", path: "/opt/ogc" });
});

test("a bare name in the setting is looked for on PATH", () => {
  const found = discover("ogc-dev", "/ext", system(["/bin/ogc-dev"], "/usr/bin:/bin"));
  assert.deepEqual(found, { kind: "found", path: "/bin/ogc-dev", origin: "setting" });
  assert.deepEqual(discover("ogc-dev", "/ext", system([], "/bin")), { kind: "setting-missing", path: "ogc-dev" });
});

test("the binary beside the extension comes before PATH", () => {
  const files = ["/ext/server/ogc", "/bin/ogc"];
  assert.deepEqual(discover("", "/ext", system(files, "/bin")), {
    kind: "found",
    path: "/ext/server/ogc",
    origin: "extension",
  });
  assert.deepEqual(discover("", "/ext", system(["/bin/ogc"], "::/bin")), {
    kind: "found",
    path: "/bin/ogc",
    origin: "path",
  });
});

test("without a program, the error lists the places searched", () => {
  assert.deepEqual(discover("", "/ext", system([], "/bin")), { kind: "missing", looked: ["/ext/server/ogc", "PATH"] });
});

test("on Windows programs end with .exe, and PATH has another spelling", () => {
  const files = ["C:\\tools\\ogc.exe"];
  assert.deepEqual(discover("", "C:\\ext", system(files, "C:\\x;C:\\tools", "win32")), {
    kind: "found",
    path: "C:\\tools\\ogc.exe",
    origin: "path",
  });
  assert.deepEqual(discover("C:\\tools\\ogc", "C:\\ext", system(files, "", "win32")), {
    kind: "found",
    path: "C:\\tools\\ogc.exe",
    origin: "setting",
  });
});
