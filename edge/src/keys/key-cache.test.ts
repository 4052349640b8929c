import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type KeyRecord } from '../store/keys.ts';
import { KeyCache } from './key-cache.ts';

const RECORD: KeyRecord = {
  keyId: 'k',
  workspaceId: 'w',
  userId: 'u',
  scopes: ['chat'],
  project: '',
  quotas: [],
  expiresAt: null,
  revokedAt: null,
  userStatus: 'active',
  workspaceStatus: 'active',
  maxConcurrency: null,
};

/** A database whose answers a test gives. */
class FakeKeys {
  asked = 0;
  answer: () => Promise<KeyRecord | null> = async () => RECORD;
  find = () => {
    this.asked++;
    return this.answer();
  };
}

describe('KeyCache', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('asks once for a key and then answers at once', async () => {
    const keys = new FakeKeys();
    const cache = new KeyCache(keys.find);
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual([RECORD, RECORD]);
    expect(cache.get('a')).toBe(RECORD);
    expect(keys.asked).toBe(1);
  });

  it('remembers that a key is unknown, until any key changes', async () => {
    const keys = new FakeKeys();
    keys.answer = async () => null;
    const cache = new KeyCache(keys.find);
    await cache.get('a');
    expect(cache.get('a')).toBeNull();
    cache.invalidate('other');
    keys.answer = async () => RECORD;
    expect(await cache.get('a')).toBe(RECORD);
  });

  it('reads an old key again beside the request that uses it', async () => {
    const keys = new FakeKeys();
    const cache = new KeyCache(keys.find, { refreshMs: 0 });
    await cache.get('a');
    await waitFor(() => cache.get('a') === RECORD && keys.asked > 1);
  });

  it('goes on with a cached key while the database is away, up to the hard limit', async () => {
    const keys = new FakeKeys();
    const cache = new KeyCache(keys.find, { refreshMs: 0, maxAgeMs: 60_000 });
    await cache.get('a');
    keys.answer = () => Promise.reject(new Error('away'));
    expect(cache.get('a')).toBe(RECORD);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    await expect(cache.get('a')).rejects.toThrow('away');
  });

  it('does not wait for ever', async () => {
    const keys = new FakeKeys();
    keys.answer = () => new Promise(() => undefined);
    const cache = new KeyCache(keys.find, { readTimeoutMs: 10 });
    await expect(cache.get('a')).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
  });

  it('counts lookups by their results', async () => {
    enableMetrics('test');
    const count = async (result: string) => {
      const line = (await readMetrics()).text.match(new RegExp(`^parley_key_lookups_total\\{result="${result}"\\} (\\d+)$`, 'm'));
      return Number(line?.[1] ?? 0);
    };
    const counts = async () => ({ cached: await count('cached'), read: await count('read'), failed: await count('failed') });
    const before = await counts();
    const keys = new FakeKeys();
    const cache = new KeyCache(keys.find);
    await cache.get('a');
    await cache.get('a');
    keys.answer = async () => null;
    for (let n = 0; n < 3; n++) await cache.get('unknown');
    keys.answer = () => Promise.reject(new Error('away'));
    await expect(cache.get('b')).rejects.toThrow('away');
    const { cached, read, failed } = await counts();
    expect([cached - before.cached, read - before.read, failed - before.failed]).toEqual([3, 2, 1]);
  });

  it.each(['k', 'u', 'w'])('forgets by the id %j', async (id) => {
    const keys = new FakeKeys();
    const cache = new KeyCache(keys.find);
    await cache.get('a');
    cache.invalidate(id);
    await cache.get('a');
    expect(keys.asked).toBe(2);
  });

  it('does not keep an answer that was on its way when the key changed', async () => {
    const keys = new FakeKeys();
    let deliver: (record: KeyRecord) => void = () => undefined;
    keys.answer = () => new Promise((resolve) => (deliver = resolve));
    const cache = new KeyCache(keys.find);
    const early = cache.get('a');
    cache.invalidate('k');
    deliver(RECORD);
    await early;
    keys.answer = async () => ({ ...RECORD, revokedAt: new Date() });
    expect(await cache.get('a')).toMatchObject({ revokedAt: expect.any(Date) });
  });
});
