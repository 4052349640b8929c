/** How the mock answers one model: how much text, and when it leaves. */
export interface Script {
  /** Pieces of text, all of the same length. */
  pieces: number;
  pieceBytes: number;
  /** Pieces are stamps of the clock instead of words. */
  stamped: boolean;
  /** Pieces that leave in one write. */
  group: number;
  /** Time between one write and the next in ms; undefined: nothing is between them. */
  everyMs?: number;
  /** Wait before the first byte, in ms. */
  delayMs: number;
  /** A release cuts the pacing short: what is left leaves at once. */
  held: boolean;
}

/** Characters of a stamped piece: `@` and the monotonic clock in ns. */
export const STAMP_BYTES = 18;
/** Bytes of text in the answer of `fast`, and about as many in 64 chunks. */
const FAST_BYTES = 1_000;
const CHUNK_BYTES = 16;
const SLOW_CHUNK_BYTES = 11;
/** How long an upstream thinks that is not instant; the cost scenario asks it. */
export const THINKING_MODEL = 'delayed-500';

const plain = (pieces: number, pieceBytes: number, group: number): Script => {
  return { pieces, pieceBytes, group, stamped: false, delayMs: 0, held: false };
};
const FAST = plain(1, FAST_BYTES, 1);

const SCRIPTS: Record<string, Script> = {
  fast: FAST,
  // Groups of four with 1 ms between them: an upstream's tokens come in packets of a few, and each packet has to be read and passed on by itself.
  'chunks-64': { ...plain(64, CHUNK_BYTES, 4), everyMs: 1 },
  'burst-64': plain(64, CHUNK_BYTES, 64),
  stamped: { ...plain(32, STAMP_BYTES, 1), stamped: true, everyMs: 5 },
  'slow-open': { ...plain(120, SLOW_CHUNK_BYTES, 1), everyMs: 1000, held: true },
  [THINKING_MODEL]: { ...FAST, delayMs: 500 },
};

/** The model names that are listed; `delayed-<ms>` exists for any number up to 60,000. */
export const MODEL_NAMES: readonly string[] = Object.keys(SCRIPTS);

/** The script of a model, or undefined for a name that the mock does not know. */
export function scriptOf(model: string): Script | undefined {
  const delayed = /^delayed-(\d{1,5})$/.exec(model);
  if (delayed) return { ...FAST, delayMs: Math.min(Number(delayed[1]), 60_000) };
  return Object.hasOwn(SCRIPTS, model) ? SCRIPTS[model] : undefined;
}

/** What a complete answer of this model must hold: the load refuses every answer that differs. */
export interface Expectation {
  streamed: boolean;
  pieces: number;
  textBytes: number;
}

/** Derives the expectation of a model's script; throws for an unknown model. */
export function expectationOf(model: string, streamed: boolean): Expectation {
  const script = scriptOf(model);
  if (!script) throw new Error(`the mock has no model ${model}`);
  return { streamed, pieces: streamed ? script.pieces : 1, textBytes: script.pieces * script.pieceBytes };
}

/** One stamped piece: the machine-wide monotonic clock, so that another process can tell how long it was under way. */
export function stamp(nowNs: bigint): string {
  return `@${nowNs.toString().padStart(STAMP_BYTES - 1, '0')}`;
}

/** The time in a stamped piece, in ns; undefined when it is none. */
export function stampedAt(text: string): bigint | undefined {
  return /^@\d{17}$/.test(text) ? BigInt(text.slice(1)) : undefined;
}
