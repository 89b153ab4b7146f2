/** The messages between the extension and the page of the panel. */
import type { FormatRequests, Location, Method, Notation } from "../requests.js";

/** The tabs, in their order. */
export const TABS = ["diagram", "samples", "match", "masks", "costs", "difference", "export", "model"] as const;
export type Tab = (typeof TABS)[number];

/** The format that the panel shows. */
export interface Target {
  uri: string;
  /** The name of the file, for display. */
  file: string;
  /** The definition; `null` if the file is a single format. */
  definition: string | null;
  /** Grows with every change that may change the answers: edits of formats, starts of the server. */
  revision: number;
}

/** Messages to the page. */
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

/** Messages from the page. */
export type FromPage =
  | { kind: "ready" }
  | ({ kind: "ask"; id: number } & Ask)
  | { kind: "reveal"; location: Location }
  | { kind: "copy"; text: string }
  /** Adds a text as a case to the test of the definition. */
  | { kind: "add-test"; text: string }
  /** Opens a text in a notation as a document. */
  | { kind: "open"; text: string; notation: Notation }
  /** Stops the language model. */
  | { kind: "stop" }
  | { kind: "settings"; setting: string };
