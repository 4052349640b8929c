import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { OpenAiApi } from '../../services/chat-routing/test/openai-api/server.ts';
import { toItem } from '../../services/chat-routing/test/openai-api/store.ts';
import { completed, download, lifecycleOf, madeIn, settled } from './harness/assets.ts';
import { ask, said, stream } from './harness/chat.ts';
import { parleyCommand } from './harness/cli.ts';
import { readStream } from './harness/event-stream.ts';
import { expectRefusal } from './harness/expectations.ts';
import { call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { type Parley, startParley } from './harness/parley.ts';
import { createProject } from './harness/projects.ts';
import { addToProject, attach, type Uploader } from './harness/upload.ts';

const NOTES = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('The code word of the cellar is marzipan.\n') };
const list = z.array(z.looseObject({ role: z.string(), content: z.string() }));

describe.each(['single', 'separate'] as const)('an account at the official API (%s)', (topology) => {
  let api: OpenAiApi;
  let first: Parley;
  let me: Uploader;
  let conversation: string;

  beforeAll(async () => {
    api = await OpenAiApi.listen();
    first = await startParley({ topology });
    const operator = new Operator(() => first);
    const workspaceId = await operator.createWorkspace('official');
    const { key } = await operator.createKey({ workspace_id: workspaceId, user_id: await operator.createUser(workspaceId) });
    me = { gateway: first, key };
    const place = { provider: 'openai', label: 'official', base_url: api.baseUrl, workspace_id: workspaceId };
    expect(await operator.connect({ ...place, api_key: api.key })).toMatchObject({ models: ['gpt-5', 'gpt-5-mini'] });
    conversation = said(await say('the sky is green')).conversation;
  });
  afterAll(async () => {
    await first.dispose();
    await api.close();
  });

  const say = (text: string, over: Omit<Parameters<typeof ask>[1], 'key' | 'say'> = {}) =>
    ask(me.gateway, { key: me.key, say: text, ...over });
  const get = async (path: string) => (await call(me.gateway, 'GET', path, { key: me.key })).json;

  it('is shown as what it is, and its key is never shown', async () => {
    const manifest = (await get('/v1/capabilities')) as { providers: object };
    expect(manifest.providers).toMatchObject({
      openai: { connected: true, supports: ['conversation_files', 'images', 'project_files', 'projects', 'text'] },
    });
    expect(await first.log()).not.toContain(api.key);
  });

  it('is connected with the command line by a key that no response contains, and not by a wrong one', async () => {
    const adding = parleyCommand(first, 'connections', 'add', 'openai', '--label', 'none', '--base-url', api.baseUrl);
    await expect(adding).rejects.toThrow(/key|credential|expired|accept/i);
  });

  it('keeps the conversation: only new messages are sent, streamed or not', async () => {
    const answer = await readStream(await stream(me.gateway, { key: me.key, conversation, say: 'what did I say first?' }));
    expect(answer.text).toBe('You said: the sky is green');
    const { body } = api.callsTo('POST', '/responses').at(-1) ?? {};
    expect(body).toMatchObject({ input: [{ role: 'user', content: 'what did I say first?' }] });
  });

  it('reads a file that is attached', async () => {
    const { file_id: file } = await attach(me, conversation, NOTES);
    const answer = said(await say('what is the code word?', { conversation, body: { attachment_file_ids: [file] } }));
    expect(answer.text).toBe('The code word is marzipan.');
    expect(said(await say('once more, the code word?', { conversation })).text).toBe('The code word is marzipan.');
  });

  it.each([
    ['draw a circle', 'image/webp', 'image'],
    ['make a csv of the planets', 'text/csv', 'file'],
  ])('makes things: %s', async (text, mimeType, assetType) => {
    const answer = await readStream(await stream(me.gateway, { key: me.key, conversation, say: text }));
    expect(lifecycleOf(answer).map(({ type }) => type)).toEqual(expect.arrayContaining(['asset.discovered', 'asset.ready']));
    const made = madeIn(answer);
    expect(await settled(me, made.asset)).toMatchObject({ status: 'ready', mime_type: mimeType, asset_type: assetType });
    expect((await download(me, made.asset)).bytes.length).toBeGreaterThan(0);
    expect((await completed(me, made.message)).content).toBe(answer.text);
  });

  it('has projects, with files that are searched and instructions that are kept to', async () => {
    const project = await createProject(me, { name: 'The gateway', instructions: 'reply in capitals' });
    await addToProject(me, project.id, NOTES);
    const answer = said(await say('what is the code word?', { headers: { 'x-service-upstream-project': project.slug } }));
    expect(answer.text).toBe('THE CODE WORD IS MARZIPAN.');
    expect(await call(me.gateway, 'DELETE', `/v1/projects/${project.id}`, { key: me.key })).toMatchObject({ status: 204 });
    expect([api.store.vectorStores.size, [...api.store.files.values()].filter(({ purpose }) => purpose === 'assistants')]).toEqual([0, []]);
    expectRefusal(await say('hello', { conversation: answer.conversation }), { status: 409, code: 'CONVERSATION_PROJECT_UNAVAILABLE' });
  });

  it('stops when its client leaves, and goes on with what was said until then', async () => {
    api.pace.pieceMs = 20;
    const leaving = new AbortController();
    const answer = await stream(me.gateway, { key: me.key, conversation, say: 'count to 500', signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await waitFor(() => [...api.store.responses.values()].at(-1)?.response.status === 'cancelled');
    api.pace.pieceMs = 0;
    expect(said(await say('what did I say first?', { conversation })).text).toBe('You said: the sky is green');
    expect(list.parse(await get(`/v1/conversations/${conversation}/messages?limit=200`)).map(({ content }) => content)).toContain(
      'count to 500',
    );
  });

  it('goes on after a restart, with what was added upstream meanwhile', async () => {
    const { conversation: id = '' } = (api.callsTo('POST', '/responses').at(-1)?.body ?? {}) as { conversation?: string };
    me = { ...me, gateway: await first.restart() };
    expect(said(await say('what did I say first?', { conversation })).text).toBe('You said: the sky is green');
    api.store.conversations.get(id)?.items.push(toItem({ role: 'user', content: 'added elsewhere' }));
    const sync = () => call(me.gateway, 'POST', `/v1/conversations/${conversation}/sync`, { key: me.key });
    for (let times = 0; times < 2; times++) {
      expect(await sync()).toMatchObject({ status: 200, json: { continuity_status: 'available' } });
      const contents = list.parse(await get(`/v1/conversations/${conversation}/messages?limit=200`)).map(({ content }) => content);
      expect(contents.filter((content) => content === 'added elsewhere')).toHaveLength(1);
      expect(contents.at(-1)).toBe('added elsewhere');
    }
    expect(said(await say('what did I say first?', { conversation })).text).toBe('You said: the sky is green');
  });

  it('tells that a conversation was deleted there', async () => {
    api.store.conversations.clear();
    expectRefusal(await say('hello', { conversation }), { status: 410, code: 'CONVERSATION_DELETED_UPSTREAM' });
    const status = async () => z.looseObject({ continuity_status: z.string() }).parse(await get(`/v1/conversations/${conversation}`));
    await waitFor(async () => (await status()).continuity_status === 'deleted_upstream');
  });

  it('tells that its key is no longer taken', async () => {
    const { conversation: other } = said(await say('hello'));
    api.key = 'sk-another';
    expectRefusal(await say('hello', { conversation: other }), { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' });
  });
});
