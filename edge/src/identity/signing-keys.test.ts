import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { SecretBox } from '@parley/kit/secrets/secret-box';
import { type StoredSigningKey } from '../store/signing-keys.ts';
import { SUCCESSOR_LEAD_MS, SIGNING_PERIOD_MS, SigningKeys, VERIFICATION_GRACE_MS } from './signing-keys.ts';

const log = createLogger({ service: 'edge', level: 'fatal' });
const ring = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });

/** The table of keys, which edges share. */
class Table {
  rows: StoredSigningKey[] = [];
  reads = 0;
  now = Date.parse('2026-03-01T12:00:00.000Z');

  edge(secrets = new SecretBox([ring('k1', 1)])): SigningKeys {
    return new SigningKeys({
      list: async () => {
        this.reads++;
        return this.#valid();
      },
      add: async (make) => {
        const key = make(this.#valid());
        if (key) this.rows = [...this.rows, key];
        return this.#valid();
      },
      ...{ secrets, log, now: () => this.now },
    });
  }

  #valid(): StoredSigningKey[] {
    return this.rows.filter(({ expiresAt }) => expiresAt.getTime() > this.now);
  }
}

describe('signing keys', () => {
  it('are made on first need, once for all edges, and not stored readable', async () => {
    const table = new Table();
    const [one, other] = [table.edge(), table.edge()];
    expect(await one.listPublishedKeys()).toEqual([]);
    const [first, second] = [await one.getSigningKey(), await other.getSigningKey()];
    expect(second.id).toBe(first.id);
    expect(table.rows).toHaveLength(1);
    expect(Buffer.from(table.rows[0]?.privateJwk ?? []).toString('latin1')).not.toContain('"d"');
    expect(await one.listPublishedKeys()).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: first.id, alg: 'EdDSA', use: 'sig' },
    ]);
    expect(await other.findVerificationKey(first.id)).toBeDefined();
  });

  it('are found by an edge that has not read them yet', async () => {
    const table = new Table();
    const [one, other] = [table.edge(), table.edge()];
    await other.listPublishedKeys();
    const { id } = await one.getSigningKey();
    expect(await other.findVerificationKey(id)).toBeDefined();
  });

  it('are not looked for without end', async () => {
    const table = new Table();
    const edge = table.edge();
    for (let n = 0; n < 200; n++) expect(await edge.findVerificationKey(`unknown-${n}`)).toBeUndefined();
    expect(table.reads).toBeLessThanOrEqual(21);
  });

  it('are followed by another one, which is published a day before it signs, and verify for a while after they did', async () => {
    const table = new Table();
    const edge = table.edge();
    const { id: first } = await edge.getSigningKey();
    table.now += SIGNING_PERIOD_MS - SUCCESSOR_LEAD_MS + 1_000;
    expect((await edge.getSigningKey()).id).toBe(first);
    const published = (await edge.listPublishedKeys()).map(({ kid }) => kid);
    expect(published).toHaveLength(2);
    table.now += SUCCESSOR_LEAD_MS;
    const { id: second } = await edge.getSigningKey();
    expect(second).not.toBe(first);
    expect(published).toContain(second);
    expect(await edge.findVerificationKey(first)).toBeDefined();
    table.now += VERIFICATION_GRACE_MS;
    expect(await edge.findVerificationKey(first)).toBeUndefined();
    expect((await edge.listPublishedKeys()).map(({ kid }) => kid)).toEqual([second]);
  });

  it('that an edge cannot decrypt verify there, and do not sign', async () => {
    const table = new Table();
    const { id } = await table.edge().getSigningKey();
    const other = table.edge(new SecretBox([ring('k2', 2)]));
    expect(await other.findVerificationKey(id)).toBeDefined();
    expect((await other.getSigningKey()).id).not.toBe(id);
  });
});
