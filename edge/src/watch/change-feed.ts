import { type Bus } from '@parley/kit/bus/bus';
import { randomBytes } from 'node:crypto';
import { type ResourceChange, type FinishedWork, SUBJECT_DECODERS } from './feed-decoders.ts';

/** One item for readers: a change, or the work that was counted within a second. */
export type FeedItem = { type: 'change'; change: ResourceChange } | { type: 'counted'; counted: readonly FinishedWork[] };

/** An item with its id, from which a reader can resume. */
export interface FeedEntry {
  id: string;
  item: FeedItem;
}

/** Receives entries; `undefined` means that some may be missing, so the reader must read everything again. */
export type FeedReader = (entry: FeedEntry | undefined) => void;

/** Entries that are kept for readers that resume. */
const KEPT = 5_000;
/** Milliseconds that the feed continues after its last reader has left, so that a reader can resume. */
const LINGER_MS = 60_000;
/** Milliseconds over which counted work is summed up. */
const TICK_MS = 1_000;
/** Most sums in one tick; when it is reached, they are published early. */
const MAX_COUNTED = 2_000;

/**
 * Publishes the changes of resources to the pages that show them. It reads the bus once for all readers of this edge, and only while there
 * are readers. The bus does not guarantee delivery of notices, so a reader that may have missed one receives a resync event.
 */
export class ChangeFeed {
  readonly #bus: Pick<Bus, 'onNotice' | 'onConnected'>;
  readonly #readers = new Set<FeedReader>();
  readonly #lingerMs: number;
  #entries: FeedEntry[] = [];
  #counted = new Map<string, FinishedWork>();
  /** Prefix of the ids; a new one starts after a gap, and ids of earlier ones cannot be resumed. */
  #epoch = '';
  #sequence = 0;
  #stop: (() => void) | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(bus: Pick<Bus, 'onNotice' | 'onConnected'>, lingerMs = LINGER_MS) {
    this.#bus = bus;
    this.#lingerMs = lingerMs;
  }

  /** The number of readers. */
  get size(): number {
    return this.#readers.size;
  }

  /**
   * Calls `reader` for each entry from now on, until the returned function is called. With the id of an entry, `reader` first gets the
   * entries after it, or `undefined` when they are no longer known.
   */
  subscribe(after: string | undefined, reader: FeedReader): () => void {
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

  /** The id of the newest entry, from which a new reader can resume. */
  get newestId(): string {
    return `${this.#epoch}-${this.#sequence}`;
  }

  /** Unsubscribes from the bus and drops all entries. */
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
    const subscriptions = [...SUBJECT_DECODERS].map(([subject, read]) =>
      this.#bus.onNotice(subject, (bytes) => {
        const { changes, counted } = read(bytes);
        for (const change of changes) this.#publish({ type: 'change', change });
        for (const one of counted) this.#count(one);
      }),
    );
    let isOpening = true;
    // A call during the subscription means that the bus is connected; a later call means that it was disconnected.
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

  /** Starts a new epoch and makes all readers read everything again: earlier entries may have a gap after them. */
  #restart(): void {
    this.#epoch = randomBytes(6).toString('hex');
    this.#sequence = 0;
    this.#entries = [];
    for (const reader of this.#readers) reader(undefined);
  }

  #count(one: FinishedWork): void {
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

  /** Returns the entries after an id; undefined when they are not all known. */
  #after(id: string): FeedEntry[] | undefined {
    const [epoch, sequence] = id.split('-');
    const at = Number(sequence);
    if (epoch !== this.#epoch || !Number.isSafeInteger(at) || at > this.#sequence) return undefined;
    const first = this.#sequence - this.#entries.length;
    return at < first ? undefined : this.#entries.slice(at - first);
  }
}
