import { GatewayError } from '@parley/protos/errors';
import { LRUCache } from 'lru-cache';
import { type KeyRecord } from '../store/keys.ts';

/** Finds a key by its digest; null when there is none. */
export type FindKey = (digest: string) => Promise<KeyRecord | null>;

/** Lifetimes of cached keys, in milliseconds. */
export interface KeyCacheTimes {
  /** A known key is never used longer than this after it was read. @default 5000 */
  hardMs: number;
  /** A key older than this is read again beside the request that uses it. @default 2500 */
  refreshMs: number;
  /** How long an unknown key stays unknown. @default 1000 */
  unknownMs: number;
  /** How long a request waits for the database. @default 1800 */
  waitMs: number;
}

const TIMES: KeyCacheTimes = { hardMs: 5_000, refreshMs: 2_500, unknownMs: 1_000, waitMs: 1_800 };
const MAX_KEYS = 20_000;

interface Entry {
  record: KeyRecord;
  readAt: number;
}

/**
 * Keys as they were read from the database within the last seconds. On the hot path `get` answers synchronously.
 * Unknown keys have a cache of their own, so that guesses cannot evict known keys.
 */
export class KeyCache {
  readonly #find: FindKey;
  readonly #times: KeyCacheTimes;
  readonly #known = new LRUCache<string, Entry>({ max: MAX_KEYS });
  readonly #unknown: LRUCache<string, true>;
  readonly #loading = new Map<string, Promise<KeyRecord | null>>();
  /** Counts invalidations: what was read before one may not be cached after it. */
  #generation = 0;

  constructor(find: FindKey, times: Partial<KeyCacheTimes> = {}) {
    this.#find = find;
    this.#times = { ...TIMES, ...times };
    this.#unknown = new LRUCache({ max: MAX_KEYS, ttl: this.#times.unknownMs });
  }

  /**
   * The key with this digest, null for an unknown one; a promise only when it is read from the database.
   * The promise rejects with SERVICE_UNAVAILABLE when the database does not answer in time.
   */
  get(digest: string): KeyRecord | null | Promise<KeyRecord | null> {
    const entry = this.#known.get(digest);
    const age = entry ? performance.now() - entry.readAt : Number.POSITIVE_INFINITY;
    if (entry && age < this.#times.hardMs) {
      // A refresh that fails is tried again by the next request; at the hard limit it becomes that request's error.
      if (age > this.#times.refreshMs && !this.#loading.has(digest)) this.#load(digest).catch(() => undefined);
      return entry.record;
    }
    if (this.#unknown.has(digest)) return null;
    return this.#inTime(this.#loading.get(digest) ?? this.#load(digest));
  }

  /** Forgets every key with this id, or of this user or workspace; and which keys were unknown. */
  invalidate(id: string): void {
    this.#forgetUnknown();
    for (const [digest, { record }] of this.#known.entries()) {
      if (record.keyId === id || record.userId === id || record.workspaceId === id) this.#known.delete(digest);
    }
  }

  /** Forgets everything: notices may have been missed. */
  clear(): void {
    this.#forgetUnknown();
    this.#known.clear();
  }

  #forgetUnknown(): void {
    this.#generation++;
    this.#loading.clear();
    this.#unknown.clear();
  }

  async #load(digest: string): Promise<KeyRecord | null> {
    const generation = this.#generation;
    const readAt = performance.now();
    const loading = this.#find(digest);
    this.#loading.set(digest, loading);
    try {
      const record = await loading;
      if (generation === this.#generation) this.#keep(digest, record, readAt);
      return record;
    } finally {
      if (this.#loading.get(digest) === loading) this.#loading.delete(digest);
    }
  }

  #keep(digest: string, record: KeyRecord | null, readAt: number): void {
    if (record) this.#known.set(digest, { record, readAt });
    else {
      this.#known.delete(digest);
      this.#unknown.set(digest, true);
    }
  }

  async #inTime(loading: Promise<KeyRecord | null>): Promise<KeyRecord | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new GatewayError('SERVICE_UNAVAILABLE', 'the API key cannot be checked', { retryAfterMs: 1_000 })),
        this.#times.waitMs,
      );
    });
    try {
      return await Promise.race([loading, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
