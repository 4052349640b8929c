import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, sayAfter, send } from '../testing/chat.ts';
import { makeProject, projectFiles, sendFile, upload } from '../testing/files.ts';
import { ADA, startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

const RECALL = 'what did I ask you to remember?';
const NOTHING = 'You have not asked me to remember anything.';
const NOTES = { name: 'notes.txt', bytes: 'The code word is heliotrope.' };

let sandbox: TestSandbox;
let token: string;
beforeEach(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterEach(() => sandbox.close());

const order = (fault: string, on?: string): Promise<void> => sandbox.control('POST', '/accounts/ada/faults', { fault, on });
const status = async (method: string, path: string, body?: unknown): Promise<number> =>
  (await sandbox.call(method, path, body, token)).status;
const recalled = async (project?: string): Promise<string> =>
  (await say(sandbox, token, { text: RECALL, ...(project && { project }) })).text;

describe('projects', () => {
  it('are made, shown, changed and deleted', async () => {
    const made = await makeProject(sandbox, token, { name: ' Tides ', memory_policy: 'project_only' });
    expect(made).toEqual({
      id: expect.stringMatching(/^sp_/),
      name: 'Tides',
      instructions: '',
      memory_policy: 'project_only',
      created_at: expect.stringMatching(/Z$/),
    });
    const changed = await sandbox.call('PATCH', `/api/projects/${made.id}`, { instructions: 'be kind' }, token);
    expect(await changed.json()).toEqual({ ...made, instructions: 'be kind' });
    expect(await (await sandbox.call('GET', '/api/projects', undefined, token)).json()).toEqual({
      projects: [{ ...made, instructions: 'be kind' }],
    });
    expect([await status('DELETE', `/api/projects/${made.id}`), await status('GET', `/api/projects/${made.id}`)]).toEqual([204, 404]);
    expect(await status('POST', '/api/projects', { name: ' ' })).toBe(400);
    expect(await status('POST', '/api/projects', { name: 'x', memory_policy: 'none' })).toBe(400);
  });

  it('are there for their account only', async () => {
    const { id } = await makeProject(sandbox, token, {});
    const bob = { ...ADA, id: 'bob', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    const stranger = await sandbox.signIn(bob);
    expect((await sandbox.call('GET', `/api/projects/${id}`, undefined, stranger)).status).toBe(404);
    expect((await send(sandbox, stranger, { text: 'x', project: id })).status).toBe(404);
  });

  it('have instructions that are honoured, also once they have changed', async () => {
    const { id } = await makeProject(sandbox, token, { instructions: 'Reply in capitals.' });
    const first = await say(sandbox, token, { text: 'say hush', project: id });
    expect(first.text).toBe('HUSH');
    await sandbox.call('PATCH', `/api/projects/${id}`, { instructions: '' }, token);
    expect((await sayAfter(sandbox, token, first, 'say hush')).text).toBe('hush');
  });

  it('take their conversations and files along when they are deleted', async () => {
    const { id } = await makeProject(sandbox, token, {});
    await upload(sandbox, token, { ...NOTES, project: id });
    const first = await say(sandbox, token, { text: 'say hi', project: id });
    await sandbox.call('DELETE', `/api/projects/${id}`, undefined, token);
    const next = await send(sandbox, token, { text: 'x', in: first.conversationId, after: first.messageId });
    expect([next.status, await next.json()]).toEqual([404, { error: { code: 'project_not_found', message: expect.any(String) } }]);
    expect(await status('GET', `/api/conversations/${first.conversationId}/branch`)).toBe(404);
    expect(await sandbox.report()).toMatchObject({ files: [], projects: [] });
  });
});

describe('memory', () => {
  it.each(['account_connected', 'provider_default'])('is shared with the account where the policy is %s', async (policy) => {
    const { id } = await makeProject(sandbox, token, { memory_policy: policy });
    await say(sandbox, token, { text: 'remember red', project: id });
    await say(sandbox, token, { text: 'remember green' });
    const both = 'You asked me to remember: red; green.';
    expect([await recalled(id), await recalled()]).toEqual([both, both]);
  });

  it('does not cross the border of a project_only project, neither way', async () => {
    const own = await makeProject(sandbox, token, { memory_policy: 'project_only' });
    const other = await makeProject(sandbox, token, { memory_policy: 'project_only' });
    await say(sandbox, token, { text: 'remember red', project: own.id });
    expect([await recalled(own.id), await recalled(other.id), await recalled()]).toEqual([
      'You asked me to remember: red.',
      NOTHING,
      NOTHING,
    ]);
    await say(sandbox, token, { text: 'remember green' });
    expect([await recalled(own.id), await recalled(other.id)]).toEqual(['You asked me to remember: red.', NOTHING]);
  });

  it('is not shared between accounts', async () => {
    const bob = { ...ADA, id: 'bob', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    await say(sandbox, await sandbox.signIn(bob), { text: 'remember red' });
    expect(await recalled()).toBe(NOTHING);
  });

  it('prefers what this conversation was asked to remember, and tells of others when asked for them', async () => {
    const first = await say(sandbox, token, { text: 'remember red' });
    const second = await say(sandbox, token, { text: 'remember green' });
    expect((await sayAfter(sandbox, token, second, RECALL)).text).toBe('You asked me to remember: green.');
    const others = await sayAfter(sandbox, token, second, 'what did I ask you to remember in other conversations?');
    expect(others.text).toBe('You asked me to remember: red.');
    await sandbox.call('DELETE', `/api/conversations/${first.conversationId}`, undefined, token);
    expect(await recalled()).toBe('You asked me to remember: green.');
  });

  it('follows what was changed upstream', async () => {
    const { conversationId, parentId } = await say(sandbox, token, { text: 'remember red' });
    await sandbox.control('PUT', `/conversations/${conversationId}/messages/${parentId}`, { content: 'remember blue' });
    expect(await recalled()).toBe('You asked me to remember: blue.');
  });
});

describe('files of projects', () => {
  it('are known from the first message, also while they are being processed', async () => {
    await sandbox.control('PUT', '/pacing', { source_ms: 3_600_000 });
    const { id } = await makeProject(sandbox, token, {});
    const file = await upload(sandbox, token, { ...NOTES, project: id });
    expect([file.status, await projectFiles(sandbox, token, id)]).toEqual(['processing', [file]]);
    const first = await say(sandbox, token, { text: 'what is the code word?', project: id });
    expect(first.text).toBe('notes.txt: The code word is heliotrope.');
    expect((await say(sandbox, token, { text: 'what is the code word?' })).text).not.toContain('heliotrope');

    await sandbox.control('PUT', '/pacing', { source_ms: 0 });
    expect(await projectFiles(sandbox, token, id)).toEqual([{ ...file, status: 'ready' }]);
    expect(await status('DELETE', `/api/files/${file.id}`)).toBe(404);
    expect(await status('DELETE', `/api/projects/${id}/files/${file.id}`)).toBe(204);
    expect((await sayAfter(sandbox, token, first, 'what is in the file?')).text).toBe('There are no files here.');
  });

  it('get ready by themselves, or fail', async () => {
    const { id } = await makeProject(sandbox, token, {});
    await upload(sandbox, token, { ...NOTES, project: id });
    await order('source_failed');
    await upload(sandbox, token, { ...NOTES, project: id });
    await until(async () => (await projectFiles(sandbox, token, id)).map((file) => file.status).join() === 'ready,failed');
  });

  it('cannot be had by free accounts', async () => {
    const free = { ...ADA, id: 'free', api_key: 'sk-free', tier: 'free' } as const;
    await sandbox.control('POST', '/accounts', free);
    const session = await sandbox.signIn(free);
    const { id } = await makeProject(sandbox, session, {});
    const response = await sendFile(sandbox, session, { ...NOTES, project: id });
    expect([response.status, await response.json()]).toEqual([403, { error: { code: 'upgrade_required', message: expect.any(String) } }]);
    expect((await sandbox.report('free')).files).toEqual([]);
  });
});

describe('faults of projects', () => {
  it.each([
    ['project_create', 'POST', 0, 1],
    ['project_update', 'PATCH', 1, 1],
    ['project_delete', 'DELETE', 1, 0],
  ])('%s fails with nothing done, or with the answer lost', async (on, method, untouched, done) => {
    const { id } = method === 'POST' ? { id: '' } : await makeProject(sandbox, token, { name: 'old' });
    const act = (): Promise<number> => status(method, method === 'POST' ? '/api/projects' : `/api/projects/${id}`, { name: 'new' });
    await order('server_error', on);
    expect([await act(), (await sandbox.report()).projects.length]).toEqual([500, untouched]);
    await order('cut', on);
    await expect(act()).rejects.toThrow();
    expect((await sandbox.report()).projects.map(({ name }) => name)).not.toContain('new');
    await order('lost_answer', on);
    await expect(act()).rejects.toThrow();
    await until(async () => (await sandbox.report()).projects.length === done);
    if (done === 1) expect((await sandbox.report()).projects[0]?.name).toBe('new');
  });

  it('source_delete fails with the file still there, or with the answer lost', async () => {
    const { id } = await makeProject(sandbox, token, {});
    const file = await upload(sandbox, token, { ...NOTES, project: id });
    const act = (): Promise<number> => status('DELETE', `/api/projects/${id}/files/${file.id}`);
    const left = async (): Promise<number> => (await projectFiles(sandbox, token, id)).length;
    await order('server_error', 'source_delete');
    expect([await act(), await left()]).toEqual([500, 1]);
    await order('lost_answer', 'source_delete');
    await expect(act()).rejects.toThrow();
    await until(async () => (await left()) === 0);
  });

  it('memory_policy_ignored tells the policy that holds', async () => {
    await order('memory_policy_ignored');
    expect((await makeProject(sandbox, token, { memory_policy: 'project_only' })).memory_policy).toBe('provider_default');
  });
});

it('survives a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const before = await startTestSandbox({ dataDir });
  const session = await before.signIn();
  const kept = await makeProject(before, session, { instructions: 'reply in capitals', memory_policy: 'project_only' });
  const gone = await makeProject(before, session, {});
  await upload(before, session, { ...NOTES, project: kept.id });
  await before.call('DELETE', `/api/projects/${gone.id}`, undefined, session);
  const first = await say(before, session, { text: 'remember red', project: kept.id });
  await before.close();

  const after = await startTestSandbox({ dataDir });
  expect(await after.report()).toMatchObject({ projects: [{ id: kept.id }], files: [{ name: 'notes.txt', project: kept.id }] });
  expect((await sayAfter(after, session, first, 'what is the code word?')).text).toBe('NOTES.TXT: THE CODE WORD IS HELIOTROPE.');
  expect((await say(after, session, { text: RECALL, project: kept.id })).text).toBe('YOU ASKED ME TO REMEMBER: RED.');
  expect((await say(after, session, { text: RECALL })).text).toBe(NOTHING);
  await after.close();
  rmSync(dataDir, { recursive: true });
});
