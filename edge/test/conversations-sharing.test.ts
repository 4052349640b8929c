import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { API_KEY, call, type ErrorBody, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';

const BASE = '/v1/conversations';
const AT = '2025-01-31T12:00:00.000Z';

interface Person {
  id: string;
  key: string;
}

describe('a shared conversation', () => {
  let fixture: TestFixture;
  let ada: Person;
  let grace: Person;
  let stranger: Person;
  let id: string;

  beforeAll(async () => {
    fixture = await startFixture();
    ada = await person('Ada');
    grace = await person('Grace');
    const { id: elsewhere } = await operate<{ id: string }>(fixture, 'POST', 'workspaces', { name: 'elsewhere' }, 201);
    stranger = await person('Stranger', elsewhere);
  });
  beforeEach(async () => {
    const created = await send<{ id: string }>(API_KEY, 'POST', '', {});
    id = created.body.id;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  async function person(name: string, workspace_id?: string): Promise<Person> {
    const where = workspace_id === undefined ? {} : { workspace_id };
    const user = await operate<{ id: string }>(fixture, 'POST', 'users', { display_name: name, ...where }, 201);
    const { key } = await createKey(fixture, { user_id: user.id, ...where });
    return { id: user.id, key };
  }
  const send = <T = ErrorBody>(key: string, method: string, path: string, body?: unknown) =>
    call<T>(fixture.edge.url + BASE + path, { method, key, ...(body !== undefined && { body }) });
  const share = (user_id: string, role = 'viewer', key = API_KEY) => send(key, 'POST', `/${id}/share`, { user_id, role });
  const participants = async () => (await send<{ user_id: string }[]>(API_KEY, 'GET', `/${id}/participants`)).body;

  it('shows who it was shared with, by name', async () => {
    const { status, body } = await share(ada.id.toUpperCase());
    expect([status, body]).toEqual([200, { user_id: ada.id, role: 'viewer', display_name: 'Ada', added_at: AT }]);
    await share(grace.id, 'editor');
    const { body: list, headers } = await send<unknown[]>(API_KEY, 'GET', `/${id}/participants`);
    expect(list).toMatchObject([
      { role: 'owner' },
      { user_id: ada.id, role: 'viewer', display_name: 'Ada' },
      { user_id: grace.id, role: 'editor', display_name: 'Grace' },
    ]);
    expect([headers.get('x-total-count'), headers.get('link')]).toEqual([
      '3',
      expect.stringContaining(`/${id}/participants>; rel="first"`),
    ]);
  });

  it('changes the role of a participant, and removes them', async () => {
    await share(ada.id);
    const changed = await send(API_KEY, 'PATCH', `/${id}/participants/${ada.id}`, { role: 'editor' });
    expect(changed.body).toEqual({ user_id: ada.id, role: 'editor', display_name: 'Ada', added_at: AT });
    const removed = await send(API_KEY, 'DELETE', `/${id}/participants/${ada.id}`);
    expect(removed.body).toEqual({ user_id: ada.id, object: 'participant.deleted', deleted: true });
    expect(await participants()).toHaveLength(1);
    for (const method of ['PATCH', 'DELETE']) {
      const again = await send(API_KEY, method, `/${id}/participants/${ada.id}`, method === 'PATCH' ? { role: 'viewer' } : undefined);
      expect([again.status, again.body.error.code, again.body.error.param]).toEqual([404, 'PARTICIPANT_NOT_FOUND', 'user_id']);
    }
  });

  it('is transferred to another owner, and the answer is the conversation', async () => {
    const { status, body } = await send<Record<string, unknown>>(API_KEY, 'POST', `/${id}/transfer`, { user_id: ada.id });
    expect([status, body.id, body.object]).toEqual([200, id, 'conversation']);
    const detail = await send<Record<string, unknown>>(ada.key, 'GET', `/${id}`);
    expect(detail.body).toMatchObject({
      owner_user_id: ada.id,
      participants: [{ display_name: 'Ada', role: 'owner' }, { role: 'editor' }],
    });
    expect((await send(API_KEY, 'DELETE', `/${id}`)).status).toBe(403);
  });

  it.each(['share', 'transfer'])('cannot be opened by %s to anybody outside the workspace', async (verb) => {
    for (const user_id of [stranger.id, uuidv7()]) {
      const { status, body } = await send(API_KEY, 'POST', `/${id}/${verb}`, { user_id, role: 'viewer' });
      expect([status, body.error.code, body.error.param]).toEqual([404, 'PARTICIPANT_NOT_FOUND', 'user_id']);
    }
    expect(await participants()).toHaveLength(1);
  });

  it.each(['share', 'transfer'])('shows a stranger who tries to %s it nothing about the users of the workspace', async (verb) => {
    for (const user_id of [ada.id, stranger.id, uuidv7()]) {
      const { status, body } = await send(stranger.key, 'POST', `/${id}/${verb}`, { user_id, role: 'viewer' });
      expect([status, body.error.code]).toEqual([403, 'CONVERSATION_ACCESS_DENIED']);
    }
  });

  it('hands the services who asks, with the user whose role counts', async () => {
    await share(ada.id);
    await send(ada.key, 'GET', `/${id}`);
    expect(fixture.services.conversations.calls.at(-1)?.call.caller).toMatchObject({ userId: ada.id });
  });
});
