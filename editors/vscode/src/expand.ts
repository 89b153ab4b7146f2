/** Replaces variables in paths of settings. */

/** The values of `${...}` and `~`. */
export interface Places {
  home: string;
  /** The first folder of the workspace, if there is one. */
  workspaceFolder?: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Replaces `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}`; unknown variables stay. */
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
