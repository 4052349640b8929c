/** Limits of reading one file, counted in the process that reads it. What was read before a limit is kept. */
export interface ReadingLimits {
  /** Maximum length of the text in characters; the rest is omitted. @default 1,000,000 */
  outputCharacters: number;
  /** Maximum inflated size of a compressed file, all parts together, in bytes. @default 64 MiB */
  inflatedBytes: number;
  /** The same as a multiple of the file's size; 1 MiB is allowed to any file. @default 100 */
  inflateRatio: number;
  /** Entries of an archive's directory that are read. @default 20,000 */
  entries: number;
  /** Entries of an archive that are opened; one that is opened twice counts twice. @default 5,000 */
  parts: number;
  /** Tags, comments, attributes and pieces of text of XML, all parts together. @default 4,000,000 */
  markup: number;
  /** Attributes of one XML element. @default 256 */
  attributes: number;
  /** Maximum nesting depth of XML elements. @default 256 */
  depth: number;
  /** Pages of a PDF. @default 5,000 */
  pages: number;
}

/** Limits of extracting text in reader processes. Every field has a default. */
export interface ExtractionLimits extends ReadingLimits {
  /** Maximum size of a file in bytes; larger files are not read. @default 10 MiB */
  inputBytes: number;
  /** How long a file may take before its reader is killed, in ms. @default 5,000 */
  timeMs: number;
  /** How large a reader process may grow before it is killed, in MiB. @default 320 */
  memoryMb: number;
  /** Number of reader processes, each of which reads one file at a time. One workspace gets at most all but one of them. @default 2 */
  readers: number;
  /** Maximum number of waiting files. @default 64 */
  waiting: number;
  /** Maximum size of all waiting files in bytes. @default 256 MiB */
  waitingBytes: number;
  /** The share of the queue, by files and by bytes, that one workspace may take. @default 0.25 */
  workspaceShare: number;
  /** How long an idle reader process is kept, in ms. @default 60,000 */
  idleMs: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_EXTRACTION_LIMITS: ExtractionLimits = {
  outputCharacters: 1_000_000,
  inflatedBytes: 64 * MIB,
  inflateRatio: 100,
  entries: 20_000,
  parts: 5_000,
  markup: 4_000_000,
  attributes: 256,
  depth: 256,
  pages: 5_000,
  inputBytes: 10 * MIB,
  timeMs: 5_000,
  memoryMb: 320,
  readers: 2,
  waiting: 64,
  waitingBytes: 256 * MIB,
  workspaceShare: 0.25,
  idleMs: 60_000,
};
