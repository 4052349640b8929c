import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { startEdgeServer } from '../src/server.ts';
import { BlobListener } from './blob-listener.ts';
import { openChat } from './chat-stream.ts';
import { call, captureLog, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { noteChange, setRole, sql } from './members.ts';
import { operate } from './operator.ts';
import { type SignedIn, signInAs } from './people.ts';
import { PlayedTurn } from './played-turn.ts';

const HOME = DEFAULT_WORKSPACE_ID;
const CHAT = '/me/v1/chat/completions';
const SAY = { model: 'auto', messages: [{ role: 'user', content: 'hello' }] };

describe('the operations of /v1 for a signed-in person', () => {
  let fixture: TestFixture;
  let ada: SignedIn;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  beforeEach(async () => {
    ada = await signInAs(fixture, { roles: { [HOME]: 'member' } });
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as ErrorBody | undefined)?.error.code];
  const paramOf = ({ body }: { body: unknown }) => (body as ErrorBody).error.param;
  const asBrowser = ({ cookie, csrf }: SignedIn) => ({ cookie, origin: fixture.edge.url, 'x-csrf-token': csrf });
  const personalKeys = (userId: string) =>
    sql<{ id: string; scopes: string[]; workspace_id: string; last_used_at: Date | null }>(
      fixture,
      'SELECT id, scopes, workspace_id, last_used_at FROM api_keys WHERE user_id = $1 AND is_personal',
      [userId],
    );

  it('run under a hidden key of the person and the workspace, with every scope and as the same user', async () => {
    expect((await ada.call('GET', '/me/v1/usage')).status).toBe(200);
    const [key] = await personalKeys(ada.userId);
    const { caller } = fixture.services.usageCalls.at(-1)?.call ?? {};
    expect(caller).toMatchObject({ workspaceId: HOME, keyId: key?.id, userId: ada.userId });
    expect(key?.scopes).toEqual(['chat', 'conversations', 'audio', 'actions:read', 'actions:run']);
  });

  it('make that key once, whatever number of requests to two edges needs it first', async () => {
    await using other = await startEdgeServer({ ...fixture.config, port: 0 }, { log: captureLog().log });
    const ask = (url: string) => call(`${url}/me/v1/usage`, { headers: { cookie: ada.cookie } });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n % 2 ? other.url : fixture.edge.url)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const ids = new Set(fixture.services.usageCalls.slice(-20).map((one) => one.call.caller.keyId));
    expect([...ids]).toEqual((await personalKeys(ada.userId)).map(({ id }) => id));
  });

  it('answer a chat whole, and streamed', async () => {
    const whole = await ada.call<{ choices: { message: { content: string } }[] }>('POST', CHAT, SAY);
    expect([whole.status, whole.body.choices[0]?.message.content]).toEqual([200, 'hello']);
    const stream = await openChat(fixture, SAY, { path: CHAT, headers: asBrowser(ada) });
    await stream.ended;
    expect([stream.status, stream.words.at(-1)]).toEqual([200, '[DONE]']);
  });

  it.each([
    ['no token', { 'x-csrf-token': '' }],
    ['the token of another session', { 'x-csrf-token': 'a'.repeat(43) }],
    ['a foreign origin', { origin: 'https://evil.example.com' }],
  ])('refuse a chat with %s, and a page of another site gets no CORS headers', async (_name, headers) => {
    const refused = await ada.call('POST', CHAT, SAY, headers);
    expect(codeOf(refused)).toEqual([403, 'CSRF_REJECTED']);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are for no other origin, preflights and whole URLs included', async () => {
    const foreign = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    for (const path of [CHAT, '/me/v1/models', '/admin/v1/keys', '/openapi-me.json', '/openapi.json']) {
      const { status, headers } = await call(`${fixture.edge.url}${path}`, { method: 'OPTIONS', headers: foreign });
      const sent = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([path, status, sent]).toEqual([path, 204, []]);
    }
    const shared = await call(`${fixture.edge.url}/v1/models`, { method: 'OPTIONS', headers: foreign });
    expect(shared.headers.get('access-control-allow-methods')).toContain('GET');
  });

  it('are kept by no cache', async () => {
    expect((await ada.call('GET', '/me/v1/models')).headers.get('cache-control')).toBe('private, no-store');
  });

  it('answer HEAD, 405 with what is allowed, and nothing to a key', async () => {
    expect((await ada.call('HEAD', '/me/v1/models')).status).toBe(200);
    const refused = await ada.call('PUT', CHAT);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const answer = await call<ErrorBody>(`${fixture.edge.url}/me/v1/models`, { key: `gmk_live_${'k'.repeat(43)}` });
    expect(codeOf(answer)).toEqual([401, 'SIGN_IN_REQUIRED']);
  });

  describe('choose a workspace', () => {
    let second: string;
    let both: SignedIn;
    const choose = (person: SignedIn, header?: string, query = '') =>
      person.call('GET', `/me/v1/usage${query}`, undefined, header === undefined ? {} : { 'x-service-workspace': header });
    beforeAll(async () => {
      second = (await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'second' }, 201)).id;
      both = await signInAs(fixture, { roles: { [HOME]: 'member', [second]: 'viewer' } });
    });

    it('by the header, or by the query where a browser sends no header', async () => {
      for (const answer of [await choose(both, second), await choose(both, undefined, `?workspace_id=${second}`)]) {
        expect(answer.status).toBe(200);
        expect(fixture.services.usageCalls.at(-1)?.call.caller.workspaceId).toBe(second);
      }
      expect((await choose(both, HOME.toUpperCase())).status).toBe(200);
      expect(fixture.services.usageCalls.at(-1)?.call.caller.workspaceId).toBe(HOME);
    });

    it('where there is a choice, and not twice', async () => {
      const [none, two] = [await choose(both), await choose(both, HOME, `?workspace_id=${second}`)];
      for (const answer of [none, two, await choose(both, 'home')]) {
        expect([...codeOf(answer), paramOf(answer)]).toEqual([422, 'VALIDATION_ERROR', 'X-Service-Workspace']);
      }
    });

    it('that they are a member of: another one is refused like one that does not exist', async () => {
      const refusals = await Promise.all([second, uuidv7()].map((id) => choose(ada, id)));
      expect(refusals.map(codeOf)).toEqual(Array(2).fill([403, 'PERMISSION_DENIED']));
      expect(new Set(refusals.map(({ body }) => (body as ErrorBody).error.message)).size).toBe(1);
      const chat = await ada.call('POST', CHAT, SAY, { 'x-service-workspace': second });
      expect(codeOf(chat)).toEqual([403, 'PERMISSION_DENIED']);
      const auditor = await signInAs(fixture, { instanceRole: 'owner' });
      expect(codeOf(await choose(auditor, HOME))).toEqual([403, 'PERMISSION_DENIED']);
    });

    it('with the role in it: who only reads there writes nothing', async () => {
      expect(codeOf(await both.call('POST', CHAT, SAY, { 'x-service-workspace': second }))).toEqual([403, 'PERMISSION_DENIED']);
      expect((await both.call('POST', CHAT, SAY, { 'x-service-workspace': HOME })).status).toBe(200);
    });

    it('until it is disabled', async () => {
      await operate(fixture, 'PATCH', `workspaces/${second}`, { status: 'disabled' });
      expect(codeOf(await choose(both, second))).toEqual([403, 'workspace_disabled']);
      await operate(fixture, 'PATCH', `workspaces/${second}`, { status: 'active' });
      await waitFor(async () => (await choose(both, second)).status === 200);
    });
  });

  it('end with the membership: the next request is refused, and what has begun goes on', async () => {
    let turn: PlayedTurn | undefined;
    const { routing } = fixture.services;
    const before = routing.turn;
    routing.turn = (_request, stream) => void (turn = new PlayedTurn(stream));
    const stream = await openChat(fixture, SAY, { path: CHAT, headers: asBrowser(ada) });
    const playing = await waitFor(() => turn);
    routing.turn = before;
    await setRole(fixture, ada.userId, HOME, null);
    await waitFor(async () => (await ada.call('GET', '/me/v1/usage')).status === 403);
    expect(codeOf(await ada.call('POST', CHAT, SAY))).toEqual([403, 'PERMISSION_DENIED']);
    playing.say('still here');
    playing.end();
    await stream.ended;
    expect(stream.words).toEqual(['role', 'still here', 'stop', 'response.completed', '[DONE]']);
  });

  it('end with the account', async () => {
    expect((await ada.call('GET', '/me/v1/usage')).status).toBe(200);
    await operate(fixture, 'PATCH', `users/${ada.userId}`, { status: 'disabled' });
    expect(codeOf(await ada.call('GET', '/me/v1/usage'))).toEqual([401, 'SIGN_IN_REQUIRED']);
  });

  it('keep to the quotas of the workspace', async () => {
    const { id } = await operate<{ id: string }>(
      fixture,
      'POST',
      'workspaces',
      { name: 'small', quotas: { requests: '1 per 1 hour' } },
      201,
    );
    const one = await signInAs(fixture, { roles: { [id]: 'member' } });
    expect((await one.call('POST', CHAT, SAY)).status).toBe(200);
    expect(codeOf(await one.call('POST', CHAT, SAY))).toEqual([429, 'rate_limit_exceeded']);
  });

  it('answer links that a browser can follow with nothing but its cookie', async () => {
    await using blobs = await BlobListener.start();
    fixture.services.assets.listener = blobs.url;
    const kept = fixture.services.assets.keep({ status: 'ready' }, HOME);
    const { body } = await ada.call<{ download_url: string }>('GET', `/me/v1/assets/${kept.id}`);
    expect(body.download_url).toBe(`/me/v1/assets/${kept.id}/download?workspace_id=${HOME}`);
    const file = await fetch(fixture.edge.url + body.download_url, { headers: { cookie: ada.cookie, range: 'bytes=2-4' } });
    expect([file.status, await file.text(), file.headers.get('cache-control')]).toEqual([206, '234', 'private, no-cache']);
    expect(blobs.asked.at(-1)?.headers).not.toHaveProperty('cookie');
    const list = await ada.call('GET', '/me/v1/projects?search=a%25_b&limit=1');
    expect(list.headers.get('link')).toContain(`</me/v1/projects?workspace_id=${HOME}&search=a%25_b&limit=1&offset=0>; rel="first"`);
  });

  it('say of the platform what they say to a key', async () => {
    const { body } = await ada.call('GET', '/me/v1/capabilities');
    expect(JSON.stringify(body)).not.toContain('/me/');
  });

  it('count nothing of a request that is refused before a workspace is chosen', async () => {
    const late = await signInAs(fixture, { roles: { [HOME]: 'member' }, requiresSecondFactor: true });
    expect(codeOf(await late.call('POST', CHAT, SAY))).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
    expect(await personalKeys(late.userId)).toEqual([]);
    expect(fixture.lines.findLast(({ code }) => code === 'SECOND_FACTOR_REQUIRED')).toMatchObject({ operation: 'meCreateChatCompletion' });
  });

  it('write down that the key was used, and hide it from all lists', async () => {
    await ada.call('GET', '/me/v1/usage');
    await waitFor(async () => (await personalKeys(ada.userId))[0]?.last_used_at, { timeoutMs: 60_000 });
    const [key] = await personalKeys(ada.userId);
    await noteChange(key?.id ?? '');
    const { body } = await ada.call<{ id: string }[]>('GET', `/me/v1/workspaces/${HOME}/keys`);
    expect(body).toEqual([]);
  });
});
