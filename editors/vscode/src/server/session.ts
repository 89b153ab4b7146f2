/** The language server while the extension runs: finds, checks, starts and restarts it, and sends requests. */
import * as vscode from "vscode";
import {
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  type StaticFeature,
  type WorkspaceEdit,
} from "vscode-languageclient/node";
import {
  CONTENT_MODIFIED,
  type FormatParams,
  type FormatRequests,
  type Method,
  type ServerStatus,
} from "../requests.js";
import { documentSelector, isFormat, serverArguments, serverPath, serverSettings } from "../settings.js";
import { discover, type Found } from "./discover.js";
import { messageOf } from "./error.js";
import { middleware } from "./middleware.js";
import { ask, SYSTEM } from "./probe.js";
import { advice, judgeCapabilities, judgeVersion } from "./version.js";

/** The state of the server, for the status bar and for error messages. */
export type SessionState =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running"; status: ServerStatus | undefined }
  | { kind: "failed"; message: string };

/** Maximum number of times that a request is sent again because of an edit. */
const TRIES = 4;

/** The pause after edits of another document before findings are requested again. */
const REST_MS = 150;

export class Session implements vscode.Disposable {
  readonly output: vscode.OutputChannel;
  /** The binary in use; tasks and explanations run its other commands. */
  binary: string | undefined;
  state: SessionState = { kind: "stopped" };

  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private asking: ReturnType<typeof setTimeout> | undefined;
  private readonly edits: vscode.Disposable;
  private readonly stateChanged = new vscode.EventEmitter<SessionState>();
  private readonly costsChanged = new vscode.EventEmitter<string[]>();
  readonly onState = this.stateChanged.event;
  readonly onCosts = this.costsChanged.event;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.output = vscode.window.createOutputChannel("ogc");
    this.edits = vscode.workspace.onDidChangeTextDocument((event) => this.edited(event));
  }

  /** Starts the server; if it cannot be started, a message says what to do. */
  start(): Promise<void> {
    return this.inTurn(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopNow());
  }

  dispose(): void {
    clearTimeout(this.asking);
    this.edits.dispose();
    void this.stop();
    this.stateChanged.dispose();
    this.costsChanged.dispose();
    this.output.dispose();
  }

  /** Sends a request about a format; sends it again if an edit made it outdated. */
  about<M extends Method>(
    method: M,
    format: FormatParams,
    params: FormatRequests[M]["params"],
    token?: vscode.CancellationToken,
  ): Promise<FormatRequests[M]["result"]> {
    return this.request<FormatRequests[M]["result"]>(method, { ...format, ...params }, token);
  }

  async request<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R> {
    const client = this.client;
    if (client === undefined || this.state.kind !== "running") {
      throw new Error(this.state.kind === "failed" ? this.state.message : "The language server does not run.");
    }
    for (let tried = 1; ; tried += 1) {
      try {
        // An undefined token would be sent as a second parameter.
        return await (token === undefined
          ? client.sendRequest<R>(method, params)
          : client.sendRequest<R>(method, params, token));
      } catch (error) {
        if (tried === TRIES || token?.isCancellationRequested === true || codeOf(error) !== CONTENT_MODIFIED) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 60 * tried));
      }
    }
  }

  /** Requests a change of documents and applies it; returns whether there was a change. */
  async applyEditOf(method: string, params: object): Promise<boolean> {
    const edit = await this.request<WorkspaceEdit | null>(method, params);
    const converted = await this.client?.protocol2CodeConverter.asWorkspaceEdit(edit);
    return converted !== undefined && vscode.workspace.applyEdit(converted);
  }

  /** Sends the server the settings that it knows. */
  async tellSettings(): Promise<void> {
    if (this.state.kind === "running") {
      await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: { ogc: serverSettings() } });
    }
  }

  /**
   * Requests the findings of the active document again after an edit of another document, which it may import. The client does so for all
   * other documents, but takes the active document for the edited one.
   */
  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const active = vscode.window.activeTextEditor?.document;
    const isOther = active !== undefined && active !== document && isFormat(active) && isFormat(document);
    if (isOther && contentChanges.length > 0) {
      clearTimeout(this.asking);
      this.asking = setTimeout(() => {
        const feature = this.client?.getFeature("textDocument/diagnostic");
        feature?.getProvider(active)?.onDidChangeDiagnosticsEmitter.fire();
      }, REST_MS);
    }
  }

  /** Makes the editor request lenses and hints again. */
  refreshDecorations(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.client?.getFeature("textDocument/codeLens").getProvider(document)?.onDidChangeCodeLensEmitter.fire();
      this.client?.getFeature("textDocument/inlayHint").getProvider(document)?.onDidChangeInlayHints.fire();
    }
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(step, step);
    return this.turn;
  }

  private async startNow(): Promise<void> {
    this.become({ kind: "starting" });
    const found = discover(serverPath(), this.context.extensionPath, SYSTEM);
    this.binary = found.kind === "found" ? found.path : undefined;
    const trouble = found.kind === "found" ? await refusal(found.path) : notFound(found);
    if (trouble !== undefined || found.kind !== "found") {
      return this.fail(trouble ?? "There is no ogc binary.");
    }
    this.output.appendLine(`${found.path} (${found.origin})`);
    try {
      await this.connect(found.path);
    } catch (error) {
      await this.stopNow();
      this.fail(`${found.path} did not start: ${messageOf(error)}`);
    }
  }

  private async connect(path: string): Promise<void> {
    const run = { command: path, args: ["lsp", ...serverArguments()] };
    const client = new LanguageClient("ogc", "ogc", run, this.clientOptions());
    this.client = client;
    client.registerFeature(notifications);
    client.onNotification("ogc/status", (status: ServerStatus) => this.become({ kind: "running", status }));
    client.onNotification("ogc/costsChanged", ({ uris }: { uris: string[] }) => this.costsChanged.fire(uris));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client && this.state.kind === "running") {
        this.become({ kind: "stopped" });
      } else if (newState === State.Running && this.client === client && this.state.kind === "stopped") {
        this.become({ kind: "running", status: undefined });
      }
    });
    await client.start();
    const fit = judgeCapabilities(client.initializeResult?.capabilities);
    if (fit.kind !== "fits") {
      await this.stopNow();
      return this.fail(advice(fit, path));
    }
    // A status may have arrived already.
    if (this.state.kind !== "running") {
      this.become({ kind: "running", status: undefined });
    }
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: documentSelector() as LanguageClientOptions["documentSelector"] & object,
      initializationOptions: serverSettings(),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      diagnosticCollectionName: "ogc",
      middleware: middleware(),
    };
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.become({ kind: "stopped" });
    try {
      await client?.dispose(2000);
    } catch (error) {
      this.output.appendLine(`The server did not stop in time: ${messageOf(error)}`);
    }
  }

  private fail(message: string): void {
    this.become({ kind: "failed", message });
    this.output.appendLine(message);
    void offerWaysOut(message);
  }

  private become(state: SessionState): void {
    this.state = state;
    void vscode.commands.executeCommand("setContext", "ogc.running", state.kind === "running");
    this.stateChanged.fire(state);
  }
}

/** Declares that the client supports the notifications beyond the protocol. */
const notifications: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...capabilities.experimental, ogc: { notifications: true } };
  },
  initialize: () => {},
  getState: () => ({ kind: "static" }),
  clear: () => {},
};

/** Returns the reason why a binary cannot be the server; `undefined` if it can. */
async function refusal(path: string): Promise<string | undefined> {
  const [version, lsp] = await Promise.all([ask(path, ["--version"]), ask(path, ["lsp", "--help"])]);
  if (version.code === null) {
    return `${path} cannot be run: ${version.output.trim()}`;
  }
  const fit = judgeVersion(version.output);
  if (fit.kind !== "fits") {
    return advice(fit, path);
  }
  return lsp.code === 0 ? undefined : advice({ kind: "too-old", given: "it has no `ogc lsp`" }, path);
}

function notFound(found: Exclude<Found, { kind: "found" }>): string {
  return found.kind === "setting-missing"
    ? `\`ogc.server.path\` leads to no program: ${found.path}. Correct the setting, or empty it to look on PATH.`
    : "The ogc binary was not found beside the extension or on PATH. Install it, or set its path.";
}

async function offerWaysOut(message: string): Promise<void> {
  const [settings, install] = ["Open Settings", "How to Install"];
  const chosen = await vscode.window.showErrorMessage(message, settings, install);
  if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "ogc.server.path");
  } else if (chosen === install) {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", "ogc.ogc#start", false);
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
