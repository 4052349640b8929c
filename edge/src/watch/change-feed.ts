import { randomBytes } from 'node:crypto';
import { type Bus } from '@parley/kit/bus/bus';
import { type Change, type Counted, FEED_SUBJECTS } from './feed-event.ts';

/** What is handed on: a change, or what was counted within a second. */
export type FeedItem = { type: 'change'; change: Change } | { type: 'counted'; counted: readonly Counted[] };

/** An item and its id, by which a reader goes on. */
export interface FeedEntry {
  id: string;
  item: FeedItem;
}

/** Receives entries; `undefined`: something may be missing, so everything has to be read again. */
export type FeedReader = (entry: FeedEntry | undefined) => void;

/** Entries that are kept for readers that come back. */
const KEPT = 5_000;
/** After the last reader has gone, the feed goes on for as long as one may need to come back. */
const LINGER_MS = 60_000;
/** Counted work is summed up for as long. */
const TICK_MS = 1_000;
/** Counted work of one tick; more is summed up in the next. */
const MAX_COUNTED = 2_000;

/**
 * What changes in the gateway, for pages that show it: read from the bus once for all readers of this edge, and only while there are any. The bus gives no
 * guarantee for notices, so a reader that cannot be served without a gap is notified to read everything again.
 */
export class ChangeFeed {
  readonly #bus: Pick<Bus, 'onNotice' | 'onConnected'>;
  readonly #readers = new Set<FeedReader>();
  readonly #lingerMs: number;
  #entries: FeedEntry[] = [];
  #counted = new Map<string, Counted>();
  /** Ids of another epoch say nothing about this one: it began with another process, or after a pause. */
  #epoch = '';
  #sequence = 0;
  #stop: (() => void) | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(bus: Pick<Bus, 'onNotice' | 'onConnected'>, lingerMs = LINGER_MS) {
    this.#bus = bus;
    this.#lingerMs = lingerMs;
  }

  /** How many read. */
  get size(): number {
    return this.#readers.size;
  }

  /**
   * Hands on what changes from now on, until the returned function is called. With the id of an entry, first what came after it; where that is no longer
   * known, `reader` is notified.
   */
  follow(after: string | undefined, reader: FeedReader): () => void {
    this.#open();
    this.#readers.add(reader);
    const missed = after === undefined ? [] : this.#after(after);
    if (missed) for (const entry of missed) reader(entry);
    else reader(undefined);
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#linger = setTimeout(() => this.close(), this.#lingerMs).unref();
    };
  }

  /** The id of the newest entry: a reader that begins now goes on from here. */
  get head(): string {
    return `${this.#epoch}-${this.#sequence}`;
  }

  /** Ends the subscriptions. */
  close(): void {
    clearTimeout(this.#linger);
    this.#stop?.();
    this.#stop = undefined;
    this.#entries = [];
    this.#counted.clear();
  }

  #open(): void {
    clearTimeout(this.#linger);
    if (this.#stop) return;
    this.#epoch = randomBytes(6).toString('hex');
    this.#sequence = 0;
    const tick = setInterval(() => this.#flush(), TICK_MS).unref();
    const subscriptions = [...FEED_SUBJECTS].map(([subject, read]) =>
      this.#bus.onNotice(subject, (bytes) => {
        const { changes, counted } = read(bytes);
        for (const change of changes) this.#publish({ type: 'change', change });
        for (const one of counted) this.#count(one);
      }),
    );
    let isOpening = true;
    // A call at once says that the bus is there; later ones that it was away.
    const offConnected = this.#bus.onConnected(() => {
      if (!isOpening) this.#restart();
    });
    isOpening = false;
    this.#stop = () => {
      clearInterval(tick);
      offConnected();
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }

  /** Entries from before a gap are of no use to anyone. */
  #restart(): void {
    this.#epoch = randomBytes(6).toString('hex');
    this.#sequence = 0;
    this.#entries = [];
    for (const reader of this.#readers) reader(undefined);
  }

  #count(one: Counted): void {
    const name = `${one.workspaceId} ${one.keyId} ${one.conversationId ?? ''}`;
    const sum = this.#counted.get(name);
    if (sum) {
      sum.requests += one.requests;
      sum.tokensIn += one.tokensIn;
      sum.tokensOut += one.tokensOut;
      return;
    }
    this.#counted.set(name, { ...one });
    if (this.#counted.size >= MAX_COUNTED) this.#flush();
  }

  #flush(): void {
    if (this.#counted.size === 0) return;
    const counted = [...this.#counted.values()];
    this.#counted.clear();
    this.#publish({ type: 'counted', counted });
  }

  #publish(item: FeedItem): void {
    const entry = { id: `${this.#epoch}-${++this.#sequence}`, item };
    this.#entries.push(entry);
    if (this.#entries.length >= 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
    for (const reader of this.#readers) reader(entry);
  }

  /** What came after an entry; undefined when that is not known. */
  #after(id: string): FeedEntry[] | undefined {
    const [epoch, sequence] = id.split('-');
    const at = Number(sequence);
    if (epoch !== this.#epoch || !Number.isSafeInteger(at) || at > this.#sequence) return undefined;
    const first = this.#sequence - this.#entries.length;
    return at < first ? undefined : this.#entries.slice(at - first);
  }
}
