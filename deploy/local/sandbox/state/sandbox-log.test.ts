import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, sayAfter, send } from '../testing/chat.ts';
import { framesOf } from '../testing/frames.ts';
import { startTestSandbox } from '../testing/test-sandbox.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const sandboxLog = (): string => join(dataDir, 'sandbox.jsonl');

describe('a restart', () => {
  it('keeps accounts, sessions, conversations and turns', async () => {
    const before = await startTestSandbox({ dataDir });
    const bob = { id: 'bob', label: 'Bob', password: 'b', tier: 'pro' } as const;
    await before.control('POST', '/accounts', bob);
    const token = await before.signIn(bob);
    const first = await say(before, token, { text: 'remember ünïcode 🎈', turn: 't1' });
    await before.control('POST', `/conversations/${first.conversationId}/append`, { role: 'user', content: 'remember more' });
    const gone = await say(before, token, { text: 'bye' });
    await before.call('DELETE', `/api/conversations/${gone.conversationId}`, undefined, token);
    const report = await before.report('bob');
    await before.close();

    const after = await startTestSandbox({ dataDir });
    expect((await after.report('bob')).conversations).toEqual(report.conversations);
    expect(await say(after, token, { text: 'x', turn: 't1' })).toEqual({ ...first, deltas: 1 });
    expect((await sayAfter(after, token, first, 'what did I ask you to remember')).text).toContain('ünïcode 🎈');
    await after.close();
  });

  it('writes an account down once', async () => {
    for (let round = 0; round < 3; round++) await (await startTestSandbox({ dataDir })).close();
    expect(readFileSync(sandboxLog(), 'utf8').match(/"account"/g)?.length).toBe(2);
  });

  it('forgets expired sessions', async () => {
    const before = await startTestSandbox({ dataDir });
    const token = await before.signIn();
    await before.control('POST', '/accounts/ada/expire-sessions');
    await before.close();
    const after = await startTestSandbox({ dataDir });
    expect((await after.call('GET', '/api/me', undefined, token)).status).toBe(401);
    await after.close();
  });

  it('tells that it cut a reply off, and keeps what there was of it', async () => {
    const before = await startTestSandbox({ dataDir, delayMs: 2 });
    const token = await before.signIn();
    const response = await send(before, token, { text: 'count to 10000', turn: 't1' });
    for await (const { data } of framesOf(response)) if (data.includes('" 3"')) break;
    await before.close();
    const after = await startTestSandbox({ dataDir });
    const reply = await say(after, token, { text: 'x', turn: 't1' });
    expect(reply).toMatchObject({ text: expect.stringMatching(/^1 2 3/), end: 'error', last: { code: 'interrupted' } });
    await after.close();
  });

  it.each([
    ['a torn last line', (text: string) => text.slice(0, text.lastIndexOf('"finish"') + 3)],
    ['a bad line in the middle', (text: string) => text.replace('\n', '\n{"type":"what"}\n\u0000\n')],
  ])('survives %s', async (_, damage) => {
    const before = await startTestSandbox({ dataDir });
    const token = await before.signIn();
    const first = await say(before, token, { text: 'remember red' });
    await before.close();
    writeFileSync(sandboxLog(), damage(readFileSync(sandboxLog(), 'utf8')));

    for (let round = 0; round < 2; round++) {
      const after = await startTestSandbox({ dataDir });
      expect((await sayAfter(after, token, first, 'what did I ask you to remember')).text).toContain('red');
      await after.close();
    }
  });

  it('skips entries whose base is missing', async () => {
    appendFileSync(sandboxLog(), '{"type":"status","conversation":"sc_gone","status":"deleted"}\n');
    const message = { id: 'b', parent_id: 'a', role: 'user', content: '', images: 0, at: 0 };
    appendFileSync(sandboxLog(), '{"type":"conversation","id":"sc_1","account":"ada","model":"sandbox-1","title":"","at":0}\n');
    appendFileSync(sandboxLog(), `${JSON.stringify({ type: 'message', conversation: 'sc_1', message })}\n`);
    const sandbox = await startTestSandbox({ dataDir });
    expect((await sandbox.report()).conversations).toEqual([{ id: 'sc_1', title: '', status: 'active', nodes: 0 }]);
    await sandbox.close();
  });
});
