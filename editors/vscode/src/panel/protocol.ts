/** The messages between the extension and the page of the panel. */
import type { FormatRequests, Location, Method, Notation } from "../requests.js";

/** The tabs, in their order. */
export const TABS = ["diagram", "samples", "match", "masks", "costs", "difference", "export", "model"] as const;
export type Tab = (typeof TABS)[number];

/** What the panel is about. */
export interface Target {
  uri: string;
  /** The name of the file, to be shown. */
  file: string;
  /** The definition; `null` for a file that is one format. */
  definition: string | null;
  /** Counts up with what may change the answers: edits of formats, starts of the server. */
  revision: number;
}

/** To the page. */
export type ToPage =
  | { kind: "target"; target: Target | null; definitions: string[]; note: string }
  | { kind: "vocabularies"; vocabularies: string[] }
  | { kind: "answer"; id: number; ok: true; result: unknown }
  | { kind: "answer"; id: number; ok: false; message: string }
  /** A question is answered in part. */
  | { kind: "progress"; id: number; result: unknown }
  /** The language model that is configured. */
  | { kind: "model"; model: string | null }
  | { kind: "costs-changed" }
  | { kind: "show"; tab: Tab; run: boolean };

/** A request of the page; the extension adds the format. */
export type Ask = { [M in Method]: { method: M; params: FormatRequests[M]["params"] } }[Method];

/** From the page. */
export type FromPage =
  | { kind: "ready" }
  | ({ kind: "ask"; id: number } & Ask)
  | { kind: "reveal"; location: Location }
  | { kind: "copy"; text: string }
  /** A text becomes a case of the test of the definition. */
  | { kind: "add-test"; text: string }
  /** A text in a notation becomes a document. */
  | { kind: "open"; text: string; notation: Notation }
  /** The language model is to stop. */
  | { kind: "stop" }
  | { kind: "settings"; setting: string };
