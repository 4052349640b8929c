import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeGateway, type Replies, startFakeGateway } from '../../testing/fake-gateway.ts';
import { connectionRecord, keyRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const ID = '0190a000-0000-7000-8000-0000000000cc';
const PATH = `/admin/v1/conversations/${ID}/export`;
const AT = '2026-03-01T11:00:00.000Z';
const EXPORT = {
  object: 'conversation.export',
  version: 1,
  conversation: { id: ID, object: 'conversation', title: 'Plans', model: 'small', created_at: AT, pinned: false },
  messages: [
    { id: 'm1', role: 'system', content: 'be brief', model: null, created_at: AT },
    { id: 'm2', role: 'user', content: 'one?', model: null, created_at: AT },
    { id: 'm3', role: 'assistant', content: '**eins**', model: 'small', created_at: AT },
    { id: 'm4', role: 'assistant', content: '', model: 'small', created_at: AT, status: 'failed' },
  ],
};
const CREATED = { id: ID, title: 'Plans', upstream_account_id: 'a1' };
const KEYS = [keyRecord({ id: 'k1' }), keyRecord({ id: 'k2', prefix: 'gmk_live_efgh' })];

const refusal = (status: number, code: string) => ({ status, body: { error: { code, message: 'refused' } } });
const asked = (gateway: FakeGateway, method: string) => gateway.seen.filter((seen) => seen.method === method);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-export-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('parley conversations export', () => {
  const exporting = (over: Replies = {}): Replies => ({ 'GET /admin/v1/keys': { body: KEYS }, [`GET ${PATH}`]: { body: EXPORT }, ...over });

  it('writes JSON that loses nothing and Markdown to read, for their owner alone', async () => {
    await using gateway = await startFakeGateway(exporting());
    const out = join(folder, 'new', 'place');
    const { code, stdout } = await runCli(gateway.url, ['conversations', 'export', ID.toUpperCase(), '--out', out]);
    const [json, markdown] = [join(out, `${ID}.json`), join(out, `${ID}.md`)];
    expect([code, stdout]).toEqual([0, `Wrote ${json}\nWrote ${markdown}\n`]);
    expect(JSON.parse(await readFile(json, 'utf8'))).toEqual(EXPORT);
    expect(await readFile(markdown, 'utf8')).toBe(
      [
        `# Plans\n\n- Id: ${ID}\n- Model: small\n- Created: ${AT}`,
        `## System, ${AT}\n\nbe brief`,
        `## User, ${AT}\n\none?`,
        `## Assistant (small), ${AT}\n\n**eins**`,
        `## Assistant (small), ${AT}\n\n*(nothing)*\n`,
      ].join('\n\n'),
    );
    expect((await stat(json)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['json', [`${ID}.json`]],
    ['markdown', [`${ID}.md`]],
    ['both', [`${ID}.json`, `${ID}.md`]],
  ])('writes %s', async (format, files) => {
    await using gateway = await startFakeGateway(exporting());
    const { stdout } = await runCli(gateway.url, ['conversations', 'export', ID, '--format', format, '--out', folder, '--json']);
    expect((await readdir(folder)).sort()).toEqual(files);
    expect(JSON.parse(stdout)).toEqual({ id: ID, messages: 4, files: files.map((file) => join(folder, file)) });
  });

  it('tries the keys of the workspace until one may read it', async () => {
    const answer: Replies = {
      [`GET ${PATH}`]: ({ path }) => (path.includes('k2') ? { body: EXPORT } : refusal(403, 'CONVERSATION_ACCESS_DENIED')),
    };
    await using gateway = await startFakeGateway(exporting(answer));
    const { code } = await runCli(gateway.url, ['conversations', 'export', ID, '--out', folder]);
    expect(code).toBe(0);
    expect(gateway.seen.map(({ path }) => path)).toEqual([
      '/admin/v1/keys?workspace_id=01900000-0000-7000-8000-000000000001&limit=200&cursor=',
      `${PATH}?key_id=k1`,
      `${PATH}?key_id=k2`,
    ]);
  });

  it.each<[string, string[], Replies, RegExp]>([
    [
      'no key may read it',
      [],
      { [`GET ${PATH}`]: refusal(403, 'CONVERSATION_ACCESS_DENIED') },
      /^parley: no key of the workspace may read/,
    ],
    [
      'the key may not',
      ['--key', 'k1'],
      { [`GET ${PATH}`]: refusal(403, 'CONVERSATION_ACCESS_DENIED') },
      /\[CONVERSATION_ACCESS_DENIED\]\n$/,
    ],
    ['there is none', [], { [`GET ${PATH}`]: refusal(404, 'CONVERSATION_NOT_FOUND') }, /\[CONVERSATION_NOT_FOUND\]\n$/],
  ])('fails in one line when %s', async (_name, args, over, message) => {
    await using gateway = await startFakeGateway(exporting(over));
    const { code, stderr } = await runCli(gateway.url, ['conversations', 'export', ID, '--out', folder, ...args]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says where it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    await using gateway = await startFakeGateway(exporting());
    const { code, stderr } = await runCli(gateway.url, ['conversations', 'export', ID, '--out', join(folder, 'file')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^parley: cannot write to .*file \(EEXIST\)\n$/)]);
  });

  it.each([['../../etc/passwd'], [`${ID}/x`], ['plans']])('takes no %j for an id', async (id) => {
    const { code, stderr } = await runCli('http://127.0.0.1:1', ['conversations', 'export', id]);
    expect([code, stderr]).toEqual([2, 'parley: the id of a conversation is a UUID\n']);
  });
});

describe('parley conversations import', () => {
  const importing = (over: Replies = {}): Replies => ({
    'GET /admin/v1/keys': { body: KEYS.slice(0, 1) },
    'GET /admin/v1/connections': { body: [connectionRecord()] },
    'POST /admin/v1/conversations/import': { status: 201, body: CREATED },
    ...over,
  });
  const given = async (content: unknown) => {
    const file = join(folder, 'messages.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const MESSAGES = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'one?' },
    { role: 'assistant', content: '**eins**' },
  ];

  it.each<[string, unknown, string]>([
    ['an array of messages', MESSAGES, ''],
    ['the body of a request', { model: 'gpt', messages: MESSAGES, temperature: 1 }, ''],
    ['an export, without what says nothing', EXPORT, 'Plans'],
    [
      'parts and developers',
      [{ role: 'developer', content: 'be brief' }, { role: 'user', content: [{ type: 'text', text: 'one?' }] }, MESSAGES[2]],
      '',
    ],
  ])('takes %s', async (_name, content, title) => {
    await using gateway = await startFakeGateway(importing());
    const { code, stdout } = await runCli(gateway.url, ['conversations', 'import', await given(content)]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(ID)]);
    expect(asked(gateway, 'POST')[0]?.body).toEqual({ key_id: 'k1', title, messages: MESSAGES });
  });

  it('takes title, account, model and key as they are said', async () => {
    await using gateway = await startFakeGateway(importing({ 'GET /admin/v1/keys': { body: KEYS } }));
    const said = ['--title', 'Mine', '--account', 'ollama', '--model', 'large', '--key', 'gmk_live_efgh'];
    await runCli(gateway.url, ['conversations', 'import', await given(EXPORT), ...said]);
    const { id } = connectionRecord();
    expect(asked(gateway, 'POST')[0]?.body).toMatchObject({ key_id: 'k2', title: 'Mine', upstream_account_id: id, model: 'large' });
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /messages\.json is not JSON/],
    ['no messages', { a: 1 }, /is neither an array of messages nor an object that holds one/],
    ['an empty array', [], /holds no message with a text/],
    ['only empty messages', [{ role: 'user', content: ' ' }], /holds no message with a text/],
    ['a tool', [MESSAGES[0], { role: 'tool', content: 'x' }], /\(number 2\): only texts of system, user and assistant can/],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }, /\(number 1\)/],
    ['a call without text', [MESSAGES[0], MESSAGES[1], { role: 'assistant', content: null }], /\(number 3\)/],
  ])('refuses a file with %s, and sends no request', async (_name, content, message) => {
    const { code, stderr } = await runCli('http://127.0.0.1:1', ['conversations', 'import', await given(content)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('refuses a file that is not there', async () => {
    const { code, stderr } = await runCli('http://127.0.0.1:1', ['conversations', 'import', join(folder, 'nothing.json')]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/nothing\.json cannot be read \(ENOENT\)\n$/)]);
  });

  it.each<[string, object[], RegExp]>([
    ['several keys', KEYS, /^parley: the workspace has several keys; say with --key/],
    ['no key', [keyRecord({ revoked_at: AT })], /^parley: the workspace has no key that can be used; say with --key/],
    ['an expired key', [keyRecord({ expires_at: AT })], /^parley: the workspace has no key that can be used/],
  ])('asks whose it shall be where there is %s', async (_name, keys, message) => {
    await using gateway = await startFakeGateway(importing({ 'GET /admin/v1/keys': { body: keys } }));
    const { code, stderr } = await runCli(gateway.url, ['conversations', 'import', await given(MESSAGES)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(asked(gateway, 'POST')).toEqual([]);
  });

  it('says what the gateway refuses', async () => {
    await using gateway = await startFakeGateway(importing({ 'POST /admin/v1/conversations/import': refusal(503, 'NO_HEALTHY_SESSION') }));
    const { code, stderr } = await runCli(gateway.url, ['conversations', 'import', await given(MESSAGES)]);
    expect([code, stderr]).toEqual([1, 'parley: refused [NO_HEALTHY_SESSION]\n']);
  });
});
