/** Replaces what may stand in paths of settings. */

/** What `${...}` and `~` stand for. */
export interface Places {
  home: string;
  /** The first folder of the workspace, if there is one. */
  workspaceFolder?: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Replaces `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}`; what is not known stays. */
export function expand(path: string, places: Places): string {
  const home = path === "~" || /^~[\\/]/.test(path) ? places.home + path.slice(1) : path;
  return home.replace(/\$\{([^}]*)\}/g, (whole, name: string) => variable(name, places) ?? whole);
}

function variable(name: string, places: Places): string | undefined {
  if (name === "workspaceFolder") {
    return places.workspaceFolder;
  }
  if (name === "userHome") {
    return places.home;
  }
  return name.startsWith("env:") ? (places.environment[name.slice(4)] ?? "") : undefined;
}
