import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { startFixture, type TestFixture } from './harness.ts';
import { createKey, operate, operatorToken } from './operator.ts';

interface Entry {
  seq: number;
  action: string;
  target_id: string;
  actor: { kind: string; address: string | null };
  hash: string;
}
interface Line extends Entry {
  prev_hash: string;
  hashed: string;
}
interface Page {
  entries: Entry[];
  next_cursor: string | null;
}
interface Verification {
  entries: number;
  problem: { seq: number; problem: string } | null;
  head: { seq: number; hash: string } | null;
}

describe('the audit log', () => {
  let fixture: TestFixture;
  let sql: pg.Pool;
  beforeAll(async () => {
    fixture = await startFixture();
    sql = new pg.Pool({ connectionString: fixture.config.databaseUrl, max: 5 });
  });
  afterAll(async () => {
    await sql.end();
    await fixture[Symbol.asyncDispose]();
  });

  const verify = () => operate<Verification>(fixture, 'GET', 'audit/verify');

  it('says who changed what, newest first, and finds it by what it is about', async () => {
    const [first, second] = [await createKey(fixture), await createKey(fixture)];
    const { entries } = await operate<Page>(fixture, 'GET', 'audit?action=key&limit=2');
    expect(entries.map(({ action, target_id }) => [action, target_id])).toEqual([
      ['key.create', second.id],
      ['key.create', first.id],
    ]);
    expect(entries[0]?.actor).toMatchObject({ kind: 'operator', address: '127.0.0.1' });
    expect((await operate<Page>(fixture, 'GET', `audit?target_id=${first.id}`)).entries).toHaveLength(1);
    expect((await operate<Page>(fixture, 'GET', 'audit?action=key.cre%25')).entries).toEqual([]);
  });

  it('has what a change has changed, before and after', async () => {
    const { id } = await createKey(fixture);
    await operate(fixture, 'PATCH', `keys/${id}`, { name: 'another', quotas: { requests: '10 per 1 day', tokens: null } });
    const { entries } = await operate<Page>(fixture, 'GET', `audit?action=key.update&target_id=${id}`);
    const [before, after] = [
      { name: 'test', quota_requests: null },
      { name: 'another', quota_requests: '10 per 1 day' },
    ];
    expect(entries).toMatchObject([{ details: { before, after } }]);
  });

  it('is read page by page without a gap', async () => {
    const all = await operate<Page>(fixture, 'GET', 'audit?limit=200');
    const read: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await operate<Page>(fixture, 'GET', `audit?limit=1${cursor && `&cursor=${cursor}`}`);
      read.push(...page.entries);
      cursor = page.next_cursor;
    }
    expect(read).toEqual(all.entries);
  });

  it('is one chain, however many write at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => createKey(fixture)));
    const { entries, problem, head } = await verify();
    expect([problem, head?.seq]).toEqual([null, entries]);
  });

  it('is exported such that a copy proves itself', async () => {
    const response = await fetch(`${fixture.edge.url}/admin/v1/audit/export`, {
      headers: { authorization: `Bearer ${await operatorToken(fixture)}` },
    });
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    let before = '';
    for (const { hash, prev_hash, hashed, seq, action } of lines) {
      expect(prev_hash).toBe(before);
      expect(createHash('sha256').update(Buffer.from(prev_hash, 'hex')).update(hashed).digest('hex')).toBe(hash);
      expect(JSON.parse(hashed)).toMatchObject({ 0: seq, 7: action });
      before = hash;
    }
    expect((await verify()).head).toEqual({ seq: lines.length, hash: before });
  });

  it('cannot be changed by its own users of the database', async () => {
    await expect(sql.query("UPDATE edge.audit_log SET actor = 'unknown'")).rejects.toThrow('append-only');
    await expect(sql.query('DELETE FROM edge.audit_log')).rejects.toThrow('append-only');
  });

  it.each([
    ['changed', `UPDATE edge.audit_log SET details = '{"forged": true}' WHERE seq = 2`, { seq: 2, problem: 'changed' }],
    ['missing', 'DELETE FROM edge.audit_log WHERE seq = 2', { seq: 2, problem: 'missing' }],
    [
      'forked',
      `UPDATE edge.audit_log a SET prev_hash = '\\x00' WHERE seq = 2;
       UPDATE edge.audit_log a SET hash = edge.audit_hash(a) WHERE seq = 2`,
      { seq: 2, problem: 'forked' },
    ],
  ])('shows where an entry was %s', async (_name, forgery, problem) => {
    const client = await sql.connect();
    await client.query('ALTER TABLE edge.audit_log DISABLE TRIGGER audit_is_append_only');
    await client.query('CREATE TEMP TABLE kept AS SELECT * FROM edge.audit_log WHERE seq = 2');
    try {
      await client.query(forgery);
      expect((await verify()).problem).toEqual(problem);
    } finally {
      await client.query('ALTER TABLE edge.audit_log DISABLE TRIGGER audit_append');
      await client.query('DELETE FROM edge.audit_log WHERE seq = 2');
      await client.query('INSERT INTO edge.audit_log SELECT * FROM kept');
      await client.query('DROP TABLE kept; ALTER TABLE edge.audit_log ENABLE TRIGGER ALL');
      client.release();
    }
    expect((await verify()).problem).toBeNull();
  });
});
