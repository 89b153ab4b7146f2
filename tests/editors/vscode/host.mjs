// Runs the tests in host/ inside the extension host of a real VS Code, with the extension from its folder.
import { join } from "node:path";
import { EXTENSION, HERE, withEditor } from "./editor.mjs";
import { runInside } from "./inside.mjs";

process.exitCode = await withEditor({}, (editor) => runInside(editor, EXTENSION, join(HERE, "host")));
