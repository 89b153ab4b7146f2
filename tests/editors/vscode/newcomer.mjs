// A session of a new user: the packaged extension is installed, three formats are written with mistakes, and only the editor's advice is
// followed, until their tests pass.
import { join } from "node:path";
import { HERE, packaged, withEditor } from "./editor.mjs";
import { runInside } from "./inside.mjs";

const newcomer = join(HERE, "newcomer");
process.exitCode = await withEditor({ vsix: packaged() }, (editor) => runInside(editor, newcomer, newcomer));
