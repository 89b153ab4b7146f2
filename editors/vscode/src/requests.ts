/** The requests beyond the protocol, as lsp/REQUESTS.md describes them. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Location {
  uri: string;
  range: Range;
}

/** A format: a file and, in `.ogc` files, a definition. */
export interface FormatParams {
  textDocument: { uri: string };
  definition?: string;
}

export interface FormatInfo {
  name: string | null;
  isOutput: boolean;
  range: Range;
}

export interface DefinitionAt {
  name: string | null;
  range: Range;
}

export interface SampleResult {
  samples: string[];
  seed: number;
}

export interface Capture {
  name: string;
  start: number;
  end: number;
  text: string;
  captures: Capture[];
}

export interface Piece {
  id: number;
  text: string;
  start: number;
  end: number;
  accepted: boolean;
}

export interface MatchResult {
  accepted: boolean;
  prefix: number;
  complete: boolean;
  expected: string;
  reason?: string | null;
  help?: string | null;
  path?: string | null;
  rules: { name: string; location?: Location | null }[];
  tokens?: { vocabulary: string; pieces: Piece[] } | null;
  captures: Capture[];
}

export interface MaskResult {
  vocabulary: string;
  allowed: number;
  total: number;
  complete: boolean;
  groups: { title: string; count: number; tokens: { id: number; text: string }[] }[];
}

export interface TokenResult {
  id: number;
  text: string;
  allowed: boolean;
  accepted: string;
  reason?: string | null;
  location?: Location | null;
}

export interface DiagramResult {
  name: string;
  svg: string;
}

export type Against = { saved: true } | { text: string; definition?: string } | FormatParams;

export interface DifferenceResult {
  onlyThis?: string | null;
  onlyOther?: string | null;
  complete: boolean;
}

export interface VocabularyCost {
  name: string;
  state: "ready" | "computing" | "failed";
  rows?: number | null;
  rowBytes?: number | null;
  buildMs?: number | null;
  complete?: boolean | null;
  message?: string | null;
}

export interface CostsResult {
  rules: number;
  states: number;
  edges: number;
  bytes: number;
  vocabularies: VocabularyCost[];
  parts: { name: string; states: number; bytes: number; location?: Location | null }[];
}

export interface ConvertResult {
  text: string;
  notes: string[];
}

/** A `test` item of a file, with its cases. */
export interface TestInfo {
  definition: string;
  range: Range;
  cases: { range: Range; accept: boolean; subject: string; reason?: string | null }[];
}

/** The end of a case. */
export type CaseResult =
  | { state: "passed"; range: Range }
  | {
      state: "failed";
      range: Range;
      message: string;
      help?: string | null;
      at: Range;
      texts?: { refused: string; accepted: string } | null;
    }
  | { state: "skipped"; range: Range; message: string };

/** A `test` item of a file, with the ends of its cases. */
export interface TestResult {
  definition: string;
  range: Range;
  cases: CaseResult[];
}

/** The notations in which a format can be written. */
export const NOTATIONS = ["json-schema", "gbnf", "lark", "regex", "ogc", "prompt"] as const;
export type Notation = (typeof NOTATIONS)[number];

export interface ExportResult {
  text: string;
  notes: string[];
}

/** A text that a language model wrote, and its statistics. */
export interface GenerateResult {
  text: string;
  note: string;
}

/** The requests about a format: their parameters and their results. The extension answers `client/generate` itself. */
export interface FormatRequests {
  "ogc/sample": { params: { count?: number; seed?: number; length?: number }; result: SampleResult };
  "ogc/match": { params: { text: string; vocabulary?: string }; result: MatchResult };
  "ogc/mask": {
    params: { prefix: string; vocabulary?: string; filter?: string; perGroup?: number };
    result: MaskResult;
  };
  "ogc/token": { params: { prefix: string; vocabulary?: string; token: number | string }; result: TokenResult };
  "ogc/diagram": { params: Record<string, never>; result: DiagramResult };
  "ogc/difference": { params: { against: Against }; result: DifferenceResult };
  "ogc/costs": { params: Record<string, never>; result: CostsResult };
  "ogc/export": { params: { to: Notation }; result: ExportResult };
  "client/generate": { params: { prompt: string; maxTokens: number }; result: GenerateResult };
}

export type Method = keyof FormatRequests;

/** All requests about a format; the panel may send no others. */
export const METHODS: readonly Method[] = [
  "ogc/sample",
  "ogc/match",
  "ogc/mask",
  "ogc/token",
  "ogc/diagram",
  "ogc/difference",
  "ogc/costs",
  "ogc/export",
  "client/generate",
];

/** The status that the server sends after every change. */
export interface ServerStatus {
  vocabularies: string[];
  budget: string | null;
  state: "ready" | "working";
  detail?: string;
}

/** The request failed; its message gives the reason. */
export const REQUEST_FAILED = -32803;

/** A later edit made the request outdated; it is sent again. */
export const CONTENT_MODIFIED = -32801;

export interface TestsResult {
  passed: number;
  failed: number;
}

export interface BuildResult {
  written: string[];
}
