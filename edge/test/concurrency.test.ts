import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { form } from './forms.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate, operatorToken } from './operator.ts';

const ID = '0190a000-0000-7000-8000-0000000000aa';
const BODY = { model: 'auto', stream: true, messages: [{ role: 'user', content: 'hi' }] };

describe('answers that a workspace has open', () => {
  const chat = (fixture: TestFixture, key: string, signal?: AbortSignal) =>
    fetch(`${fixture.edge.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
      ...(signal && { signal }),
    });

  it('are limited with a coded error, for every key of the workspace and no other, until one is over', async () => {
    await using fixture = await startFixture({ workspaceConcurrency: 2 });
    let turns = 0;
    fixture.services.routing.turn = () => void turns++;
    const leaving = new AbortController();
    const second = await createKey(fixture);
    const open = [chat(fixture, API_KEY, leaving.signal), chat(fixture, second.key, leaving.signal)];
    for (const one of open) one.catch(() => undefined);
    await waitFor(() => turns === 2);

    const refused = await chat(fixture, API_KEY);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-should-retry')).toBeNull();
    const { error } = (await refused.json()) as ErrorBody;
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error', retryable: true });
    expect((await call(`${fixture.edge.url}/v1/models`, { key: API_KEY })).status).toBe(200);

    const { id: workspace_id } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'other' }, 201);
    const user = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: 'Ada', workspace_id }, 201);
    const other = await createKey(fixture, { workspace_id, user_id: user.id });
    void chat(fixture, other.key, leaving.signal).catch(() => undefined);
    await waitFor(() => turns === 3);

    leaving.abort();
    fixture.services.routing.turn = (_request, stream) => stream.fail(new Error('heard'));
    await waitFor(async () => (await chat(fixture, API_KEY)).status === 500);
  });

  it('are as many as the operator gave the workspace, from one moment to the next', async () => {
    await using fixture = await startFixture({ workspaceConcurrency: 1 });
    const [own] = await operate<{ id: string; max_concurrency: number | null }[]>(fixture, 'GET', 'workspaces');
    if (!own) throw new Error('there is no workspace');
    expect(own.max_concurrency).toBeNull();
    const bound = (max_concurrency: number | null) => operate(fixture, 'PATCH', `workspaces/${own.id}`, { max_concurrency });
    expect(await bound(3)).toMatchObject({ max_concurrency: 3 });
    let turns = 0;
    fixture.services.routing.turn = () => void turns++;
    const leaving = new AbortController();
    const begin = () => void chat(fixture, API_KEY, leaving.signal).catch(() => undefined);
    for (let open = 1; open <= 3; open++) {
      begin();
      await waitFor(() => turns === open);
    }
    expect((await chat(fixture, API_KEY)).status).toBe(429);
    expect(await bound(null)).toMatchObject({ max_concurrency: null });
    expect((await chat(fixture, API_KEY)).status).toBe(429);
    leaving.abort();
    for (const bad of [0, 1.5, '3']) {
      const headers = { authorization: `Bearer ${await operatorToken(fixture)}` };
      const refused = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/workspaces/${own.id}`, {
        method: 'PATCH',
        headers,
        body: { max_concurrency: bad },
      });
      expect([refused.status, refused.body.error.param]).toEqual([422, 'max_concurrency']);
    }
  });

  it.each([
    ['an attachment', `conversations/${ID}/attachments`, 'FILE'],
    ['a file of a project', `projects/${ID}/files`, 'FILE'],
    ['a transcription', 'audio/transcriptions', 'FILE'],
    ['speech at once', 'audio/speech', {}],
  ])('leave no capacity for %s either, which gets the same error', async (_name, path, body) => {
    await using fixture = await startFixture({ workspaceConcurrency: 1 });
    const ask = () =>
      call<ErrorBody>(`${fixture.edge.url}/v1/${path}`, { method: 'POST', key: API_KEY, body: body === 'FILE' ? form('RIFF') : body });
    expect((await ask()).status).not.toBe(429);
    let turns = 0;
    fixture.services.routing.turn = () => void turns++;
    const leaving = new AbortController();
    chat(fixture, API_KEY, leaving.signal).catch(() => undefined);
    await waitFor(() => turns === 1);
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after'), refused.body.error.code]).toEqual([429, '1', 'rate_limit_exceeded']);
    leaving.abort();
    await waitFor(async () => (await ask()).status !== 429);
  });
});
