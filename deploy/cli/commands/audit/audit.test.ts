import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { runCli } from '../../testing/run-cli.ts';

const entry = (seq: number, prev = '') => {
  const [id, action, target_id] = [`id-${seq}`, 'key.create', `key-${seq}`];
  const hashed = JSON.stringify([seq, id, '1', 'operator', null, null, null, action, null, target_id, 'r', {}]);
  const hash = createHash('sha256').update(Buffer.from(prev, 'hex')).update(hashed).digest('hex');
  const actor = { kind: 'operator', id: null, session_id: null, address: '192.0.2.7' };
  return {
    ...{ seq, id, at: '2026-03-01T12:00:00.000Z', actor, action, workspace_id: null, target_id, request_id: 'r', details: {} },
    ...{ hash, prev_hash: prev, hashed },
  };
};
const first = entry(1);
const second = { ...entry(2, first.hash), details: { outcome: 'begun' } };
const third = entry(3, second.hash);
const ndjson = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('parley audit', () => {
  it('lists who changed what, page by page', async () => {
    const pages = [
      { entries: [second], next_cursor: '2' },
      { entries: [first], next_cursor: null },
    ];
    await using gateway = await startFakeGateway({ 'GET /admin/v1/audit': () => ({ body: pages.shift() }) });
    const { stdout, code } = await runCli(gateway.url, ['audit', 'list', '--action', 'key', '--since', '1h']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/key\.create +begun +key-2 +operator +192\.0\.2\.7[^]*key\.create +- +key-1/);
    expect(gateway.seen.map(({ path }) => path).filter((path) => path.startsWith('/admin/v1/audit'))).toEqual([
      '/admin/v1/audit?since=2026-03-01T11%3A00%3A00.000Z&action=key&limit=50',
      '/admin/v1/audit?since=2026-03-01T11%3A00%3A00.000Z&action=key&limit=49&cursor=2',
    ]);
  });

  it('exports what the gateway gives', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/audit/export': { body: ndjson(first, second) } });
    expect((await runCli(gateway.url, ['audit', 'export', '--after', '0'])).stdout).toBe(ndjson(first, second));
  });

  it.each([
    [{ entries: 2, problem: null, head: { seq: 2, hash: 'ab' } }, 0, '2 entries, an unbroken chain. The last is 2: ab\n'],
    [{ entries: 2, problem: { seq: 2, problem: 'missing' }, head: null }, 1, 'Entry 2 is missing: the chain does not hold from there.\n'],
  ])('says what the gateway found: %j', async (body, code, stdout) => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/audit/verify': { body } });
    expect(await runCli(gateway.url, ['audit', 'verify'])).toMatchObject({ code, stdout });
  });

  it.each([
    ['whole', [first, second, third], 0, /^3 entries, an unbroken chain/],
    ['a later part', [second, third], 0, /^2 entries, an unbroken chain/],
    ['without an entry', [first, third], 1, /^Entry 2 is missing/],
    ['with another action', [first, { ...second, action: 'key.revoke' }, third], 1, /^Entry 2 is changed/],
    ['with another hash', [first, { ...second, hash: first.hash }, third], 1, /^Entry 2 is changed/],
    ['written anew from the second on', [first, entry(2, 'ff')], 1, /^Entry 2 is forked/],
  ])('checks an export that is %s', async (_name, lines, code, stdout) => {
    const folder = await mkdtemp(join(tmpdir(), 'audit-'));
    try {
      const file = join(folder, 'audit.ndjson');
      await writeFile(file, ndjson(...lines));
      const result = await runCli('http://127.0.0.1:9', ['audit', 'verify', '--file', file]);
      expect(result.code).toBe(code);
      expect(result.stdout).toMatch(stdout);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
