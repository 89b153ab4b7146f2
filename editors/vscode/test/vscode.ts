/** The part of the editor's interface that tests of the extension use, made of plain data. */

export class Range {
  start: { line: number; character: number };
  end: { line: number; character: number };

  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = { line, character };
    this.end = { line: endLine, character: endCharacter };
  }
}

export class Uri {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export class Location {
  constructor(
    readonly uri: Uri,
    readonly range: Range,
  ) {}
}

export class TestMessage {
  expectedOutput?: string;
  actualOutput?: string;
  location?: Location;
  contextValue?: string;

  constructor(readonly message: string) {}

  static diff(message: string, expected: string, actual: string): TestMessage {
    return Object.assign(new TestMessage(message), { expectedOutput: expected, actualOutput: actual });
  }
}

export class TestRunRequest {
  constructor(
    readonly include?: Item[],
    readonly exclude?: Item[],
  ) {}
}

export const TestRunProfileKind = { Run: 1 };

/** A collection of items by their ids. */
class Items {
  private readonly all = new Map<string, Item>();

  constructor(private readonly parent?: Item) {}

  add(item: Item): void {
    item.parent = this.parent;
    this.all.set(item.id, item);
  }

  get(id: string): Item | undefined {
    return this.all.get(id);
  }

  delete(id: string): void {
    this.all.delete(id);
  }

  replace(items: Item[]): void {
    this.all.clear();
    for (const item of items) {
      this.add(item);
    }
  }

  [Symbol.iterator](): Iterator<[string, Item]> {
    return this.all[Symbol.iterator]();
  }
}

export class Item {
  readonly children = new Items(this);
  parent: Item | undefined;
  description = "";
  range: Range | undefined;

  constructor(
    readonly id: string,
    readonly label: string,
    readonly uri: Uri | undefined,
  ) {}
}

type Handler = (request: TestRunRequest, token: { isCancellationRequested: boolean }) => Promise<void>;

/** What the extension said to the editor. */
export const said = {
  /** Lines such as `passed ID`. */
  log: [] as string[],
  messages: new Map<string, TestMessage>(),
  files: [] as Uri[],
  context: new Map<string, unknown>(),
};

class Run {
  started(item: Item): void {
    said.log.push(`started ${item.label}`);
  }

  passed(item: Item): void {
    said.log.push(`passed ${item.label}`);
  }

  failed(item: Item, message: TestMessage): void {
    said.log.push(`failed ${item.label}`);
    said.messages.set(item.label, message);
  }

  errored(item: Item, message: TestMessage): void {
    said.log.push(`errored ${item.label}: ${message.message}`);
  }

  end(): void {
    said.log.push("end");
  }
}

class Controller {
  readonly items = new Items();
  resolveHandler: ((item: Item | undefined) => Promise<void>) | undefined;
  refreshHandler: (() => Promise<void>) | undefined;
  run: Handler | undefined;

  createTestItem(id: string, label: string, uri?: Uri): Item {
    return new Item(id, label, uri);
  }

  createRunProfile(_label: string, _kind: number, run: Handler): void {
    this.run = run;
  }

  createTestRun(): Run {
    return new Run();
  }

  dispose(): void {}
}

/** The controllers that were made. */
export const controllers: Controller[] = [];

export const tests = {
  createTestController(): Controller {
    const made = new Controller();
    controllers.push(made);
    return made;
  },
};

const nothing = { dispose() {} };
const registered = new Map<string, (...args: unknown[]) => unknown>();

export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    registered.set(name, run);
    return nothing;
  },
  async executeCommand(name: string, ...args: unknown[]): Promise<unknown> {
    if (name === "setContext") {
      said.context.set(String(args[0]), args[1]);
      return undefined;
    }
    return registered.get(name)?.(...args);
  },
};

export const window = {
  async showInformationMessage(text: string): Promise<undefined> {
    said.log.push(`information ${text}`);
  },
  async showErrorMessage(text: string): Promise<undefined> {
    said.log.push(`error ${text}`);
  },
};

export const workspace = {
  textDocuments: [] as { uri: Uri; languageId: string }[],
  asRelativePath: (uri: Uri) => uri.text.split("/").at(-1) ?? "",
  findFiles: async () => said.files,
  createFileSystemWatcher: () => ({
    ...nothing,
    onDidCreate: () => nothing,
    onDidChange: () => nothing,
    onDidDelete: () => nothing,
  }),
  onDidOpenTextDocument: () => nothing,
  onDidChangeTextDocument: () => nothing,
};

export const Disposable = {
  from: (...all: { dispose(): void }[]) => ({ dispose: () => all.forEach((one) => void one.dispose()) }),
};

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false };

  dispose(): void {}
}
