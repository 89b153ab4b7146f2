/** The page of the panel: it may load only the two files of the extension, and uses no network. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString("base64url");
  const at = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ogc</title>
<link rel="stylesheet" href="${at("panel-style.css")}">
</head>
<body>
<script nonce="${nonce}" src="${at("panel.js")}"></script>
</body>
</html>`;
}
