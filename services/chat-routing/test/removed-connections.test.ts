import { beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type Connection, type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { connectAccount, newCaller } from './fixture.ts';
import { answering } from './openai-script.ts';
import { SandboxScript } from './sandbox-script.ts';
import { useClient } from './use-client.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe('connections that are removed', () => {
  const test = useClient();
  beforeEach(() => {
    test.fixture.conversation.beforeBulk = () => undefined;
  });
  const connectTo = (label: string, over: Partial<CreateConnectionRequest> = {}) => test.connect({ label, ...over });
  const connectKept = (label: string, over: Partial<CreateConnectionRequest> = {}) =>
    connectTo(label, { provider: 'sandbox', baseUrl: test.fixture.upstream.url, account: 'ada', secret: 'right', models: [], ...over });
  const remove = ({ id }: Pick<Connection, 'id'>, moveTo = '') => test.running.stub.removeConnection({ id, moveTo }, test.init());
  const labels = async () => (await test.running.stub.listConnections(PAGE, test.init())).connections.map(({ label }) => label);
  const begin = async (label: string) =>
    (await test.client.turn('hello', { upstreamAccount: label })).accepted?.conversationId ?? 'no conversation';
  const goOn = (conversationId: string) => test.client.turn('and then?', { conversationId });
  const statusOf = (conversationId: string) => test.fixture.conversation.conversations.get(conversationId)?.continuityStatus;
  const projectOn = async (connectionId: string, slug = 'apollo') => {
    const id = uuidv7();
    const sql = `INSERT INTO upstream_projects (id, workspace_id, connection_id, slug, name) VALUES ($1, $2, $3, $4, $4)`;
    await test.fixture.sql.query(sql, [id, test.client.caller.workspaceId, connectionId, slug]);
    return id;
  };
  const fileIn = async (conversationId: string, connectionId: string) => {
    const id = `file_${uuidv7().replaceAll('-', '')}`;
    await test.fixture.sql.query(
      `INSERT INTO upstream_files (id, workspace_id, connection_id, conversation_id, asset_id, file_name, mime_type, size_bytes, status,
         upstream_ref, prepared_text) VALUES ($1, $2, $3, $4, $5, 'notes.txt', 'text/plain', 5, 'ready', '', 'The word is heron.')`,
      [id, test.client.caller.workspaceId, connectionId, conversationId, uuidv7()],
    );
    return id;
  };
  const placeOf = async (table: 'upstream_projects' | 'upstream_files', id: string) =>
    (await test.fixture.sql.query<{ at: string }>(`SELECT connection_id AS at FROM ${table} WHERE id::text = $1`, [id])).rows[0]?.at;

  it('leave conversations that are marked as lost', async () => {
    const gone = await connectTo('gone');
    const ids = [await begin('gone'), await begin('gone')];
    await expect(remove(gone)).resolves.toEqual({ conversations: 2, moved: 0 });
    await expect(labels()).resolves.toEqual([]);
    expect(ids.map(statusOf)).toEqual(['access_lost', 'access_lost']);
    await expect(goOn(ids[0] ?? '')).resolves.toMatchObject({ error: { condition: 'CONVERSATION_ACCESS_LOST' } });
  });

  it('are those of their workspace', async () => {
    const { id } = await connectTo('mine');
    const { stub } = test.running;
    const stranger = { caller: newCaller(), deadlineMs: 60_000 };
    await expect(stub.removeConnection({ id, moveTo: '' }, stranger)).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
    await expect(remove({ id: uuidv7() })).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
    await expect(remove({ id: 'no-uuid' })).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
    await expect(labels()).resolves.toEqual(['mine']);
  });

  it('are deleted without a call to the record where turns do not run on them', async () => {
    test.fixture.conversation.beforeBulk = () => {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'away');
    };
    const api = await connectTo('api', { provider: 'http-api', models: [] });
    await expect(remove(api)).resolves.toEqual({ conversations: 0, moved: 0 });
  });

  describe('with a connection to move to', () => {
    it('give it their conversations, with the history of the record', async () => {
      const [from, to] = [await connectTo('from', { models: ['old'] }), await connectTo('to', { models: ['new'] })];
      const conversationId = await begin('from');
      await expect(remove(from, 'to')).resolves.toEqual({ conversations: 1, moved: 1 });
      await expect(goOn(conversationId)).resolves.toMatchObject({ text: 'ok', accepted: { model: 'new' } });
      expect(test.fixture.upstream.received.at(-1)?.body.messages).toMatchObject([
        { content: 'hello' },
        { content: 'ok' },
        { content: 'and then?' },
      ]);
      expect(test.fixture.conversation.conversations.get(conversationId)?.upstreamAccountId).toBe(to.id);
    });

    it('give it their projects and the files of both', async () => {
      const [from, to] = [await connectTo('from'), await connectTo('to')];
      const conversationId = await begin('from');
      const [projectId, fileId] = [await projectOn(from.id), await fileIn(conversationId, from.id)];
      await remove(from, 'to');
      await expect(placeOf('upstream_projects', projectId)).resolves.toBe(to.id);
      await expect(placeOf('upstream_files', fileId)).resolves.toBe(to.id);
      await test.client.turn('What is the word?', { conversationId, attachmentFileIds: [fileId] });
      expect(JSON.stringify(test.fixture.upstream.received.at(-1)?.body.messages)).toContain('The word is heron.');
    });

    it('go on from what the upstream kept where it is the same account', async () => {
      const script = new SandboxScript();
      test.fixture.upstream.script = script.serve;
      const from = await connectKept('from');
      await connectKept('to');
      const conversationId = await begin('from');
      await expect(remove(from, 'to')).resolves.toEqual({ conversations: 1, moved: 1 });
      await goOn(conversationId);
      expect(script.asked.at(-1)?.path).toBe('/api/conversations/c1/messages');
    });

    it.each<[string, Partial<CreateConnectionRequest>, string]>([
      ['an upstream that keeps conversations', { provider: 'sandbox', account: 'ada', secret: 'right', models: [] }, 'other'],
      ['a server that is no chat', { provider: 'http-api', models: [] }, 'other'],
      ['an unknown label', {}, 'nowhere'],
      ['itself', {}, 'from'],
    ])('refuse %s before anything is deleted', async (_name, over, moveTo) => {
      const script = new SandboxScript();
      test.fixture.upstream.script = (received) => (received.path.startsWith('/api/') ? script.serve(received) : answering('ok')(received));
      const from = await connectTo('from');
      const conversationId = await begin('from');
      await connectTo('other', { baseUrl: test.fixture.upstream.url, ...over });
      await expect(remove(from, moveTo)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'move_to' });
      await expect(labels()).resolves.toEqual(['from', 'other']);
      await expect(goOn(conversationId)).resolves.toMatchObject({ error: undefined });
    });

    it('refuse one that is disabled, and another account that keeps conversations', async () => {
      const script = new SandboxScript();
      test.fixture.upstream.script = script.serve;
      const [from, other] = [await connectKept('from'), await connectKept('other', { account: 'bob' })];
      await expect(remove(from, 'other')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'move_to' });
      const same = await connectKept('same');
      await test.running.stub.updateConnection({ id: same.id, enabled: false }, test.init());
      await expect(remove(from, 'same')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'move_to' });
      await expect(labels()).resolves.toEqual([from, other, same].map(({ label }) => label));
    });

    it('refuse one that has a project of the same name', async () => {
      const [from, to] = [await connectTo('from'), await connectTo('to')];
      const conversationId = await begin('from');
      await projectOn(from.id);
      await projectOn(to.id);
      await expect(remove(from, 'to')).rejects.toMatchObject({ message: expect.stringContaining('"apollo"'), param: 'move_to' });
      expect(test.fixture.conversation.conversations.get(conversationId)?.upstreamAccountId).toBe(from.id);
    });
  });

  describe('when the record is away', () => {
    const failing = (at: 'count' | 'rebind' | 'mark', times = 1) => {
      test.fixture.conversation.beforeBulk = (what) => {
        if (what === at && times-- > 0) throw new GatewayError('SERVICE_UNAVAILABLE', 'away');
      };
    };

    it.each(['count', 'rebind'] as const)('at the %s, stay', async (at) => {
      const from = await connectTo('from');
      await connectTo('to');
      const conversationId = await begin('from');
      failing(at);
      await expect(remove(from, 'to')).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
      await expect(labels()).resolves.toEqual(['from', 'to']);
      await expect(goOn(conversationId)).resolves.toMatchObject({ error: undefined });
      await expect(remove(from, 'to')).resolves.toEqual({ conversations: 1, moved: 1 });
    });

    it('at the end, are settled by repeating it', async () => {
      const gone = await connectTo('gone');
      await connectTo('to');
      const conversationId = await begin('gone');
      failing('mark');
      await expect(remove(gone)).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
      expect(statusOf(conversationId)).toBe('available');
      await expect(remove(gone)).resolves.toEqual({ conversations: 1, moved: 0 });
      expect(statusOf(conversationId)).toBe('access_lost');
      await expect(remove(gone, 'to')).resolves.toEqual({ conversations: 1, moved: 1 });
      await expect(goOn(conversationId)).resolves.toMatchObject({ error: undefined });
    });

    it('are taken back whole or not at all', async () => {
      await remove(await connectTo('again', { models: ['m1'] }));
      const first = await connectTo('again');
      const conversationId = await begin('again');
      await remove(first);
      failing('rebind');
      await expect(connectTo('again', { takeBack: true })).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
      await expect(labels()).resolves.toEqual([]);
      await expect(connectTo('again', { takeBack: true })).resolves.toMatchObject({ conversationsTaken: 1, conversationsLeft: 0 });
      await expect(goOn(conversationId)).resolves.toMatchObject({ error: undefined });
    });
  });

  describe('added again under their label', () => {
    it('report how many conversations are left, and take them back on request', async () => {
      const gone = await connectTo('again');
      const conversationId = await begin('again');
      await remove(gone);
      const added = await connectTo('again');
      expect(added).toMatchObject({ conversationsLeft: 1, conversationsTaken: 0 });
      await remove(added);
      await expect(connectTo('other')).resolves.toMatchObject({ conversationsLeft: 0 });
      await expect(connectTo('again', { takeBack: true })).resolves.toMatchObject({ conversationsLeft: 0, conversationsTaken: 1 });
      await expect(goOn(conversationId)).resolves.toMatchObject({ text: 'ok', error: undefined });
    });

    it.each([
      ['the same account', 'ada', '/api/conversations/c1/messages'],
      ['another account', 'bob', '/api/conversations/new/messages'],
    ])('go on with %s from what is known of them', async (_name, account, path) => {
      const script = new SandboxScript();
      test.fixture.upstream.script = script.serve;
      const gone = await connectKept('again');
      const conversationId = await begin('again');
      await remove(gone);
      await connectKept('again', { account, takeBack: true });
      await expect(goOn(conversationId)).resolves.toMatchObject({ error: undefined });
      expect(script.asked.at(-1)?.path).toBe(path);
    });

    it('keep what is of another workspace', async () => {
      const gone = await connectTo('again');
      await begin('again');
      await remove(gone);
      const stranger = newCaller();
      await expect(connectAccount(test.fixture, test.running, stranger, { label: 'again', takeBack: true })).resolves.toMatchObject({
        conversationsTaken: 0,
      });
    });

    it('have no conversations to take back where turns do not run', async () => {
      const api = connectTo('api', { provider: 'http-api', models: [], takeBack: true });
      await expect(api).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'take_back' });
    });
  });
});
