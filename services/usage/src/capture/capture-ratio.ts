/**
 * Resolves with the tokens of each minute of a period (`until` exclusive), keyed by the start of the minute in Unix milliseconds; minutes
 * without tokens may be absent.
 */
export type TokensByMinuteReader = (since: Date, until: Date) => Promise<ReadonlyMap<number, number>>;

/** The two sources of tokens that are compared. */
export interface CaptureSources {
  /** Reads the tokens of usage records. */
  readCountedTokens: TokensByMinuteReader;
  /** Reads the tokens of turns in the conversation service. */
  readRecordedTokens: TokensByMinuteReader;
  now: () => Date;
}

interface Minute {
  counted: number;
  recorded: number;
  /** Number of the read that produced these values; higher is later. */
  read: number;
}

const MINUTE = 60_000;
/** How long after the end of a minute its events may still arrive, in milliseconds. */
const SETTLE_MS = 30_000;
const WINDOW = 60;
/** Maximum number of minutes in one read. */
const READ_MINUTES = 10;

/**
 * Compares the counted tokens with those of recorded turns over the last settled hour. Reads each minute once, and again while both sides
 * differ; keeps the sums of an hour.
 */
export class CaptureRatio {
  readonly #sources: CaptureSources;
  readonly #minutes = new Map<number, Minute>();
  #reads = 0;

  constructor(sources: CaptureSources) {
    this.#sources = sources;
  }

  /**
   * Reads at most ten new minutes and ten that differed, and returns counted divided by recorded tokens; undefined when no turn of the hour
   * had tokens. Rejects with the errors of the sources.
   */
  async read(): Promise<number | undefined> {
    const settled = Math.floor((this.#sources.now().getTime() - SETTLE_MS) / MINUTE) * MINUTE;
    for (const minute of this.#minutes.keys()) if (minute < settled - WINDOW * MINUTE) this.#minutes.delete(minute);
    await this.#readDue(settled);
    let counted = 0;
    let recorded = 0;
    for (const minute of this.#minutes.values()) {
      counted += minute.counted;
      recorded += minute.recorded;
    }
    return recorded === 0 ? undefined : counted / recorded;
  }

  /** Reads the newest minutes that were not read yet, and the least recently read of those that differ. */
  async #readDue(settled: number): Promise<void> {
    const window = Array.from({ length: WINDOW }, (_, index) => settled - (index + 1) * MINUTE);
    const differing = window.filter((at) => this.#differs(at)).toSorted((a, b) => this.#lastRead(a) - this.#lastRead(b) || b - a);
    await this.#readNear(window.filter((at) => !this.#minutes.has(at)));
    await this.#readNear(differing.filter((at) => this.#differs(at)));
  }

  /** Reads the first of these minutes, and those due within the ten minutes that end with it. */
  async #readNear(due: readonly number[]): Promise<void> {
    const [last] = due;
    if (last === undefined) return;
    const from = Math.min(...due.filter((at) => at <= last && at > last - READ_MINUTES * MINUTE));
    const period = [new Date(from), new Date(last + MINUTE)] as const;
    const [counted, recorded] = await Promise.all([
      this.#sources.readCountedTokens(...period),
      this.#sources.readRecordedTokens(...period),
    ]);
    const read = ++this.#reads;
    for (let at = from; at <= last; at += MINUTE) {
      this.#minutes.set(at, { counted: counted.get(at) ?? 0, recorded: recorded.get(at) ?? 0, read });
    }
  }

  #differs(at: number): boolean {
    const known = this.#minutes.get(at);
    return known !== undefined && known.counted !== known.recorded;
  }

  #lastRead(at: number): number {
    return this.#minutes.get(at)?.read ?? 0;
  }
}
