/** Reports the place of the cursor when it rests. */
import * as vscode from "vscode";
import { followsCursor, isFormat } from "../settings.js";

const REST_MS = 150;

export class Follower implements vscode.Disposable {
  /** The editor that was followed last. */
  editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of edits of formats; any of them may change the answers, by way of imports. */
  edits = 0;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly rested: (editor: vscode.TextEditor) => void) {
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.moved(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.moved(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.edited(document);
        }
      }),
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

  private edited(document: vscode.TextDocument): void {
    if (isFormat(document)) {
      this.edits += 1;
      this.wait();
    }
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.editor !== undefined && this.rested(this.editor), REST_MS);
  }
}
