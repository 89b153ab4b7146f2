/** Says where the cursor is, when it rests. */
import * as vscode from "vscode";
import { followsCursor, isFormat } from "../settings.js";

const REST_MS = 150;

export class Follower implements vscode.Disposable {
  /** The editor that was followed last. */
  editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly rested: (editor: vscode.TextEditor) => void) {
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.moved(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.moved(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.edited(document)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private moved(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isFormat(editor.document) && followsCursor()) {
      this.editor = editor;
      this.wait();
    }
  }

  /** An edit of any format may change the one that is shown. */
  private edited(document: vscode.TextDocument): void {
    if (this.editor !== undefined && isFormat(document)) {
      this.wait();
    }
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.editor !== undefined && this.rested(this.editor), REST_MS);
  }
}
