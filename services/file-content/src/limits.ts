/** What the reading of one file may cost. Every field has a default. */
export interface ExtractionLimits {
  /** Larger files are not read, in bytes. @default 10 MiB (spec §4.3) */
  inputBytes: number;
  /** Text beyond is left out, in characters. @default 1,000,000 */
  outputCharacters: number;
  /** How much a packed file may inflate to, all parts together, in bytes. @default 64 MiB */
  inflatedBytes: number;
  /** How long reading may take, in ms. @default 20,000 */
  timeMs: number;
  /** How much the process may grow while a file is read, in MiB. @default 256 */
  memoryMb: number;
  /** How many files may wait to be read. @default 64 */
  waiting: number;
  /** How long a thread without work is kept, in ms. @default 60,000 */
  idleMs: number;
}

export const DEFAULT_LIMITS: ExtractionLimits = {
  inputBytes: 10 * 1024 * 1024,
  outputCharacters: 1_000_000,
  inflatedBytes: 64 * 1024 * 1024,
  timeMs: 20_000,
  memoryMb: 256,
  waiting: 64,
  idleMs: 60_000,
};
