import { GatewayError } from '@parley/protos/errors';
import { LRUCache } from 'lru-cache';

/** Lifetimes of cached records, in milliseconds. */
export interface CacheTimes {
  /** Age after which a record is no longer used. @default 5000 */
  maxAgeMs: number;
  /** Age after which a record is read again in the background; the request still uses the old one. @default 2500 */
  refreshMs: number;
  /** How long an unknown name is remembered as unknown. @default 1000 */
  unknownMaxAgeMs: number;
  /** How long a request waits for the database. @default 1800 */
  readTimeoutMs: number;
}

/** How a cache reads, identifies and names its records. */
export interface RecordSource<R> {
  /** Reads a record by its name, such as the digest of a key; null when it does not exist. */
  find: (name: string) => Promise<R | null>;
  /** Ids for which `invalidate` removes the record. */
  idsOf: (record: R) => readonly string[];
  /** What the records are, for error messages: `API key`. */
  subject: string;
  /** Counts the results of lookups. */
  count?: (result: LookupResult) => void;
  times?: Partial<CacheTimes>;
}

/** The result of a lookup: from the cache, read from the database, or failed. */
export type LookupResult = 'cached' | 'read' | 'failed';

const TIMES: CacheTimes = { maxAgeMs: 5_000, refreshMs: 2_500, unknownMaxAgeMs: 1_000, readTimeoutMs: 1_800 };
const MAX_RECORDS = 20_000;

interface Entry<R> {
  record: R;
  readAt: number;
}

/**
 * Caches records that were read from the database within the last seconds. For a cached name `get` returns synchronously. Unknown names are
 * cached separately, so that guesses cannot evict known records.
 */
export class RecordCache<R> {
  readonly #source: RecordSource<R>;
  readonly #times: CacheTimes;
  readonly #known = new LRUCache<string, Entry<R>>({ max: MAX_RECORDS });
  readonly #unknown: LRUCache<string, true>;
  readonly #loading = new Map<string, Promise<R | null>>();
  /** Number of invalidations: a record whose read began before the last one is not cached. */
  #generation = 0;

  constructor(source: RecordSource<R>) {
    this.#source = source;
    this.#times = { ...TIMES, ...source.times };
    this.#unknown = new LRUCache({ max: MAX_RECORDS, ttl: this.#times.unknownMaxAgeMs });
  }

  /**
   * Returns the record with this name, or null for an unknown name; a promise only when the database is read. The promise rejects with
   * SERVICE_UNAVAILABLE when the database does not answer in time.
   */
  get(name: string): R | null | Promise<R | null> {
    const entry = this.#known.get(name);
    const age = entry ? performance.now() - entry.readAt : Number.POSITIVE_INFINITY;
    if (entry && age < this.#times.maxAgeMs) {
      // A refresh that fails is repeated by the next request; after `maxAgeMs` its error becomes that request's error.
      if (age > this.#times.refreshMs && !this.#loading.has(name)) this.#load(name).catch(() => undefined);
      this.#source.count?.('cached');
      return entry.record;
    }
    if (this.#unknown.has(name)) {
      this.#source.count?.('cached');
      return null;
    }
    return this.#inTime(this.#loading.get(name) ?? this.#load(name));
  }

  /** Removes every record that has this id in `idsOf`, and all unknown names. */
  invalidate(id: string): void {
    this.#forgetUnknown();
    for (const [name, { record }] of this.#known.entries()) {
      if (this.#source.idsOf(record).includes(id)) this.#known.delete(name);
    }
  }

  /** Removes all records and unknown names; called when change notices may have been missed. */
  clear(): void {
    this.#forgetUnknown();
    this.#known.clear();
  }

  #forgetUnknown(): void {
    this.#generation++;
    this.#loading.clear();
    this.#unknown.clear();
  }

  async #load(name: string): Promise<R | null> {
    const generation = this.#generation;
    const readAt = performance.now();
    const loading = this.#source.find(name);
    this.#loading.set(name, loading);
    try {
      const record = await loading;
      if (generation === this.#generation) this.#keep(name, record, readAt);
      return record;
    } finally {
      if (this.#loading.get(name) === loading) this.#loading.delete(name);
    }
  }

  #keep(name: string, record: R | null, readAt: number): void {
    if (record) this.#known.set(name, { record, readAt });
    else {
      this.#known.delete(name);
      this.#unknown.set(name, true);
    }
  }

  async #inTime(loading: Promise<R | null>): Promise<R | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new GatewayError('SERVICE_UNAVAILABLE', `the ${this.#source.subject} cannot be checked`, { retryAfterMs: 1_000 })),
        this.#times.readTimeoutMs,
      );
    });
    try {
      const record = await Promise.race([loading, late]);
      this.#source.count?.('read');
      return record;
    } catch (error) {
      this.#source.count?.('failed');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
