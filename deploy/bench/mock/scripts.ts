/** How the mock answers one model: texts, and when they leave. */
export interface Script {
  /** Pieces of text; undefined texts are stamped with the clock when they leave. */
  texts: (string | undefined)[];
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
/** Bytes of text in the answer of `fast`. */
const FAST_BYTES = 1024;

const plain = (texts: (string | undefined)[], group: number): Script => ({ texts, group, delayMs: 0, held: false });
const words = (count: number): string[] => Array.from({ length: count }, (_, i) => `token-${String(i).padStart(4, '0')} `);
const FAST = 'The quick brown fox jumps over the lazy dog. '.repeat(30).slice(0, FAST_BYTES);

const SCRIPTS: Record<string, Script> = {
  fast: plain([FAST], 1),
  // Groups of four with 1 ms between them: an upstream's tokens come in packets of a few, and each packet has to be read and passed on by itself.
  'chunks-64': { ...plain(words(64), 4), everyMs: 1 },
  'burst-64': plain(words(64), 64),
  stamped: {
    ...plain(
      Array.from({ length: 32 }, () => undefined),
      1,
    ),
    everyMs: 5,
  },
  'slow-open': { ...plain(words(120), 1), everyMs: 1000, held: true },
};

/** The model names that have a fixed script; `delayed-<ms>` exists for any number up to 60,000. */
export const MODEL_NAMES: readonly string[] = Object.keys(SCRIPTS);

/** The script of a model, or undefined for a name that the mock does not know. */
export function scriptOf(model: string): Script | undefined {
  const delayed = /^delayed-(\d{1,5})$/.exec(model);
  if (delayed) return { ...plain([FAST], 1), delayMs: Math.min(Number(delayed[1]), 60_000) };
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
  const textBytes = script.texts.reduce((sum, text) => sum + (text?.length ?? STAMP_BYTES), 0);
  return { streamed, pieces: streamed ? script.texts.length : 1, textBytes };
}

/** One stamped piece: the machine-wide monotonic clock, so that another process can tell how long it was under way. */
export function stamp(nowNs: bigint): string {
  return `@${nowNs.toString().padStart(STAMP_BYTES - 1, '0')}`;
}

/** The time in a stamped piece, in ns; undefined when it is none. */
export function stampedAt(text: string): bigint | undefined {
  return /^@\d{17}$/.test(text) ? BigInt(text.slice(1)) : undefined;
}
