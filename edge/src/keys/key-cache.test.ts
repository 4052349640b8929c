import { describe, expect, it } from '@jest/globals';
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
    const cache = new KeyCache(keys.find, { refreshMs: 0, hardMs: 200 });
    await cache.get('a');
    keys.answer = () => Promise.reject(new Error('away'));
    expect(cache.get('a')).toBe(RECORD);
    const refusal = await waitFor(() =>
      Promise.resolve(cache.get('a')).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect(refusal).toEqual(new Error('away'));
  });

  it('does not wait for ever', async () => {
    const keys = new FakeKeys();
    keys.answer = () => new Promise(() => undefined);
    const cache = new KeyCache(keys.find, { waitMs: 10 });
    await expect(cache.get('a')).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
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
