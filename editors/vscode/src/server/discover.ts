/** Finds the `ogc` binary: by the setting, beside the extension, on PATH. Does not use the editor, so that tests need none. */

/** The parts of the system that the search uses. */
export interface System {
  platform: string;
  /** Whether there is an executable file at a path. */
  isExecutable(path: string): boolean;
  join(...parts: string[]): string;
  /** The variables of the environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** The way in which a binary was found. */
export type Origin = "setting" | "extension" | "path";

/** The result of the search. */
export type Found =
  | { kind: "found"; path: string; origin: Origin }
  | { kind: "setting-missing"; path: string }
  | { kind: "missing"; looked: string[] };

/** Finds the binary. A setting without a binary is an error, because another binary would not be the one that was asked for. */
export function discover(setting: string, extensionFolder: string, system: System): Found {
  if (setting !== "") {
    return fromSetting(setting, system);
  }
  const [name, ...others] = names(system.platform);
  const beside = system.join(extensionFolder, "server", name);
  if (system.isExecutable(beside)) {
    return { kind: "found", path: beside, origin: "extension" };
  }
  const onPath = searchPath([name, ...others], system);
  return onPath === undefined
    ? { kind: "missing", looked: [beside, "PATH"] }
    : { kind: "found", path: onPath, origin: "path" };
}

/** A setting is a path, or a bare name that is searched for on PATH. */
function fromSetting(setting: string, system: System): Found {
  if (!/[\\/]/.test(setting)) {
    const onPath = searchPath(withEndings(setting, system.platform), system);
    return onPath === undefined
      ? { kind: "setting-missing", path: setting }
      : { kind: "found", path: onPath, origin: "setting" };
  }
  const path = withEndings(setting, system.platform).find((path) => system.isExecutable(path));
  return path === undefined ? { kind: "setting-missing", path: setting } : { kind: "found", path, origin: "setting" };
}

function names(platform: string): [string, ...string[]] {
  return platform === "win32" ? ["ogc.exe"] : ["ogc"];
}

function withEndings(path: string, platform: string): string[] {
  return platform === "win32" && !/\.exe$/i.test(path) ? [path, `${path}.exe`] : [path];
}

function searchPath(names: string[], system: System): string | undefined {
  const separator = system.platform === "win32" ? ";" : ":";
  // On Windows, the name of this variable has several spellings.
  const key = Object.keys(system.environment).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const folders = (system.environment[key] ?? "").split(separator).filter((folder) => folder !== "");
  return folders
    .flatMap((folder) => names.map((name) => system.join(folder, name)))
    .find((path) => system.isExecutable(path));
}
