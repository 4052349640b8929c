import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type UploadedFile, type UploadFileHead, type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Client } from './client.ts';
import { FilesScript, refuse } from './files-script.ts';
import { connectAccount, type House, newCaller, openHouse, type Running } from './house.ts';
import { answering } from './openai-script.ts';
import { LISTEN } from './turn-house.ts';

const TEXT = Buffer.from('The code word is heron.');
const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe.each(LISTEN)('files of conversations and projects, service reached %s', (listen) => {
  let house: House;
  let running: Running;
  let client: Client;
  let connection: Connection;
  let script: FilesScript;
  beforeAll(async () => {
    house = await openHouse();
    running = await house.start({ listen });
  });
  afterAll(() => house.close());
  beforeEach(async () => {
    script = new FilesScript();
    house.upstream.script = script.serve;
    house.upstream.received.length = 0;
    client = running.as(newCaller());
    const over = { provider: 'sandbox', baseUrl: house.upstream.url, account: 'ada', secret: 'right', models: [] };
    connection = await connectAccount(house, running, client.caller, over);
  });

  const rows = async () => (await house.sql.query<{ id: string; status: string }>('SELECT id, status FROM upstream_files')).rows;
  const conversation = async (by = client) => (await by.turn('hello')).accepted?.conversationId ?? '';

  /** Uploads a file in small pieces. */
  function upload(over: Partial<UploadFileHead>, content = TEXT, by = client): Promise<UploadedFile> {
    const head: UploadFileHead = {
      ...{ conversationId: '', projectId: '', assetId: randomUUID(), fileName: 'notes.txt', mimeType: 'text/plain' },
      ...{ sizeBytes: content.length, sha256: createHash('sha256').update(content).digest('hex'), ...over },
    };
    const frames = (async function* (): AsyncGenerator<UploadFileRequest> {
      yield { frame: { $case: 'head', value: head } };
      for (let at = 0; at < content.length; at += 7) yield { frame: { $case: 'chunk', value: content.subarray(at, at + 7) } };
    })();
    return running.stub.uploadFile(frames, { caller: by.caller, deadlineMs: 20_000 });
  }

  /** A project of the account, as if it had been made over the API. */
  async function project(workspaceId = client.caller.workspaceId, connectionId = connection.id): Promise<string> {
    const id = randomUUID();
    const sql = `INSERT INTO upstream_projects (id, workspace_id, connection_id, slug, name, upstream_ref) VALUES ($1, $2, $3, $4, 'p', 'sp_1')`;
    await house.sql.query(sql, [id, workspaceId, connectionId, id]);
    return id;
  }

  it('are streamed to the account of their conversation, and attached to what the user says next', async () => {
    const conversationId = await conversation();
    const { fileId, source } = await upload({ conversationId });
    expect(fileId).toMatch(/^file_[A-Za-z0-9_-]{24,}$/);
    expect(source).toBeUndefined();
    expect([...script.files]).toEqual([['sf_1', { name: 'notes.txt', bytes: TEXT, status: 'ready' }]]);
    const heard = await client.turn('What is the code word?', { conversationId, attachmentFileIds: [fileId] });
    expect(heard.error).toBeUndefined();
    expect(script.conversations.asked.at(-1)?.body.messages).toMatchObject([{ content: 'What is the code word?', attachments: ['sf_1'] }]);
    const begun = house.conversation.turnsOf(conversationId).at(-1)?.begin;
    expect(begun?.messages).toMatchObject([{ role: 'user', files: [{ fileId, fileName: 'notes.txt', mimeType: 'text/plain' }] }]);
  });

  it('stay with a turn that is repeated', async () => {
    const conversationId = await conversation();
    const { fileId } = await upload({ conversationId });
    const over = { conversationId, attachmentFileIds: [fileId], requestDigest: Buffer.from('d') };
    script.conversations.refusal = { status: 500, code: 'broken' };
    await expect(client.refusal(over)).resolves.toBe('PROVIDER_BAD_ANSWER');
    script.conversations.refusal = undefined;
    await expect(client.refusal(over)).resolves.toBe('');
    expect(script.conversations.asked.at(-1)?.body).toMatchObject({ again: true, messages: [{ attachments: ['sf_1'] }] });
    expect(house.conversation.turnsOf(conversationId).map(({ begin }) => begin.messages.map(({ files }) => files.length))).toEqual([
      [0],
      [1],
      [],
    ]);
  });

  describe('named in a turn', () => {
    let conversationId: string;
    let fileId: string;
    beforeEach(async () => {
      conversationId = await conversation();
      ({ fileId } = await upload({ conversationId }));
    });
    const unknown = `file_${'a'.repeat(32)}`;

    it.each([
      ['an unknown one', () => [unknown], 'ASSET_NOT_FOUND'],
      ['something that is no id', () => ["file_' OR 1=1"], 'ASSET_NOT_FOUND'],
      ['a known and an unknown one', () => [fileId, unknown], 'ASSET_NOT_FOUND'],
      ['one twice', () => [fileId, fileId], 'VALIDATION_ERROR'],
      ['too many', () => Array.from({ length: 21 }, (_, n) => unknown.slice(0, -2) + String(n + 10)), 'VALIDATION_ERROR'],
    ])('%s is refused', async (_name, ids, condition) => {
      const heard = await client.turn('hello', { conversationId, attachmentFileIds: ids() });
      expect(heard).toMatchObject({ recorded: false, error: { condition, param: 'attachment_file_ids' } });
      expect(house.conversation.turnsOf(conversationId)).toHaveLength(1);
    });

    it('those of another conversation, of none, and of another workspace are out of bounds', async () => {
      const refused = { error: { condition: 'ASSET_ACCESS_DENIED', param: 'attachment_file_ids' } };
      const other = await conversation();
      await expect(client.turn('hello', { conversationId: other, attachmentFileIds: [fileId] })).resolves.toMatchObject(refused);
      await expect(client.turn('hello', { attachmentFileIds: [fileId] })).resolves.toMatchObject(refused);
      const stranger = running.as(newCaller());
      const over = { provider: 'sandbox', baseUrl: house.upstream.url, account: 'eve', secret: 'right', models: [] };
      await connectAccount(house, running, stranger.caller, over);
      const theirs = await conversation(stranger);
      await expect(stranger.turn('hello', { conversationId: theirs, attachmentFileIds: [fileId] })).resolves.toMatchObject(refused);
    });
  });

  describe('are refused', () => {
    it.each([
      ['that belong nowhere', {}, 'VALIDATION_ERROR'],
      ['that are empty', { sizeBytes: 0 }, 'VALIDATION_ERROR'],
      ['that are larger than 10 MB', { sizeBytes: 10 * 1024 * 1024 + 1 }, 'FILE_TOO_LARGE'],
      ['without an asset', { assetId: 'x' }, 'VALIDATION_ERROR'],
      ['that are longer than they say', { sizeBytes: TEXT.length - 1 }, 'VALIDATION_ERROR'],
      ['that are shorter than they say', { sizeBytes: TEXT.length + 1 }, 'VALIDATION_ERROR'],
      ['that say something else', { sha256: 'f'.repeat(64) }, 'VALIDATION_ERROR'],
    ])('%s', async (name, over, condition) => {
      const conversationId = name === 'that belong nowhere' ? '' : await conversation();
      const before = await rows();
      await expect(upload({ conversationId, ...over })).rejects.toMatchObject({ condition });
      expect(script.files.size).toBe(0);
      await expect(rows()).resolves.toEqual(before);
    });

    it('for conversations that are unknown, of another key, or of nobody who may write', async () => {
      await expect(upload({ conversationId: randomUUID() })).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
      const conversationId = await conversation();
      const other = running.as({ ...client.caller, keyId: randomUUID() });
      await expect(upload({ conversationId }, TEXT, other)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
      expect(script.files.size).toBe(0);
    });

    it('for conversations that cannot go on', async () => {
      const conversationId = await conversation();
      const known = house.conversation.conversations.get(conversationId);
      if (known) known.continuityStatus = 'deleted_upstream';
      await expect(upload({ conversationId })).rejects.toMatchObject({ condition: 'CONVERSATION_DELETED_UPSTREAM' });
    });

    it('for projects that are unknown or of another workspace', async () => {
      await expect(upload({ projectId: randomUUID() })).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
      const theirs = await project(randomUUID());
      await expect(upload({ projectId: theirs })).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    });
  });

  it.each([
    [500, 'broken', 'UPLOAD_FAILED'],
    [404, 'whatever', 'UPLOAD_FAILED'],
    [415, 'unsupported_file_type', 'UNSUPPORTED_FILE_TYPE'],
    [403, 'upgrade_required', 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
    [429, 'rate_limited', 'PROVIDER_RATE_LIMITED'],
    [401, 'session_expired', 'ACCOUNT_REAUTH_REQUIRED'],
  ])('leave nothing behind when the upstream says %i %s: %s', async (status, code, condition) => {
    const conversationId = await conversation();
    const before = await rows();
    script.intercept = (received) => refuse(received, status, code);
    await expect(upload({ conversationId })).rejects.toMatchObject({ condition });
    await expect(rows()).resolves.toEqual(before);
    const { connections } = await running.stub.listConnections(PAGE, { caller: client.caller });
    const expected = { PROVIDER_RATE_LIMITED: 'rate_limited', ACCOUNT_REAUTH_REQUIRED: 'expired' }[condition] ?? 'active';
    expect(connections).toMatchObject([{ status: expected }]);
  });

  it('fail in time on an upstream that says nothing', async () => {
    const patient = await house.start({ listen, uploadMs: 200 });
    const conversationId = await conversation();
    script.intercept = () => true;
    const before = running;
    running = patient;
    await expect(upload({ conversationId })).rejects.toMatchObject({ condition: 'UPLOAD_FAILED' });
    running = before;
    await patient.stop();
  });

  it('are taken back upstream when they cannot be kept here', async () => {
    const conversationId = await conversation();
    await house.sql.query('ALTER TABLE upstream_files ADD CONSTRAINT no_room CHECK (false) NOT VALID');
    try {
      await expect(upload({ conversationId })).rejects.toMatchObject({ condition: 'INTERNAL_ERROR' });
    } finally {
      await house.sql.query('ALTER TABLE upstream_files DROP CONSTRAINT no_room');
    }
    expect(script.files.size).toBe(0);
    expect(house.upstream.received.some(({ method, path }) => method === 'DELETE' && path === '/api/files/sf_1')).toBe(true);
  });

  it('are given up when nobody waits for them any more', async () => {
    const conversationId = await conversation();
    const before = await rows();
    const gone = new AbortController();
    script.intercept = async ({ res }) => {
      gone.abort();
      await once(res, 'close');
      return true;
    };
    const head = { conversationId, projectId: '', assetId: randomUUID(), fileName: 'a', mimeType: 'text/plain', sizeBytes: 1 };
    const frames = (async function* (): AsyncGenerator<UploadFileRequest> {
      yield { frame: { $case: 'head', value: { ...head, sha256: createHash('sha256').update('x').digest('hex') } } };
      yield { frame: { $case: 'chunk', value: Buffer.from('x') } };
    })();
    const init = { caller: client.caller, deadlineMs: 20_000, signal: gone.signal };
    await expect(running.stub.uploadFile(frames, init)).rejects.toMatchObject({ condition: 'CANCELLED' });
    await waitFor(() => house.upstream.received.find(({ path }) => path === '/api/files')?.isClosed);
    await expect(rows()).resolves.toEqual(before);
  });

  it('are forgotten when they are discarded, by their own workspace', async () => {
    const conversationId = await conversation();
    const { fileId } = await upload({ conversationId });
    await running.stub.discardFile({ fileId }, { caller: newCaller() });
    expect(script.files.size).toBe(1);
    await running.stub.discardFile({ fileId }, { caller: client.caller });
    expect(script.files.size).toBe(0);
    await expect(client.refusal({ conversationId, attachmentFileIds: [fileId] })).resolves.toBe('ASSET_NOT_FOUND');
    await running.stub.discardFile({ fileId }, { caller: client.caller });
  });

  describe('of projects', () => {
    it('are followed until they are ready or failed', async () => {
      const projectId = await project();
      const { fileId, source } = await upload({ projectId });
      expect(source).toMatchObject({ id: fileId, sourceType: 'file', title: 'notes.txt', status: 'processing', sizeBytes: TEXT.length });
      const second = await upload({ projectId, fileName: 'other.txt' });
      const [one, two] = [...script.files.values()];
      if (one) one.status = 'ready';
      if (two) two.status = 'failed';
      await waitFor(async () => (await rows()).find(({ id }) => id === fileId)?.status === 'ready');
      await waitFor(async () => (await rows()).find(({ id }) => id === second.fileId)?.status === 'failed');
    });

    it('are asked about when somebody looks at them', async () => {
      const projectId = await project();
      script.sourceStatus = 'processing';
      await upload({ projectId });
      const list = async () => (await running.stub.listProjectSources({ projectId }, { caller: client.caller })).sources;
      await expect(list()).resolves.toMatchObject([{ status: 'processing' }]);
      // Nobody is to ask about it by themselves.
      await house.sql.query(`UPDATE upstream_files SET next_check_at = now() + interval '1 hour'`);
      const [file] = [...script.files.values()];
      if (file) file.status = 'ready';
      await expect(list()).resolves.toMatchObject([{ status: 'ready' }]);
      script.intercept = (received) => refuse(received, 500, 'broken');
      await expect(list()).resolves.toMatchObject([{ status: 'ready' }]);
    });

    it('that an upstream never speaks of again have failed after an hour', async () => {
      const projectId = await project();
      const { fileId } = await upload({ projectId });
      await house.sql.query(`UPDATE upstream_files SET created_at = now() - interval '61 minutes', next_check_at = now() WHERE id = $1`, [
        fileId,
      ]);
      await waitFor(async () => (await rows()).find(({ id }) => id === fileId)?.status === 'failed');
    });

    it('are followed after a restart, by whichever replica is there', async () => {
      const projectId = await project();
      const { fileId } = await upload({ projectId });
      await running.stop();
      const [file] = [...script.files.values()];
      if (file) file.status = 'ready';
      running = await house.start({ listen });
      await waitFor(async () => (await rows()).find(({ id }) => id === fileId)?.status === 'ready', { timeoutMs: 15_000 });
    });

    it('that the plan of the account does not allow are refused, and the connection remembers', async () => {
      const projectId = await project();
      script.intercept = (received) => refuse(received, 403, 'upgrade_required');
      await expect(upload({ projectId })).rejects.toMatchObject({ condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' });
      const view = async () => (await running.stub.listConnections(PAGE, { caller: client.caller })).connections[0];
      await expect(view()).resolves.toMatchObject({ status: 'active', refused: ['project_files'] });
      script.intercept = undefined;
      await upload({ projectId });
      await expect(view()).resolves.toMatchObject({ refused: [] });
    });
  });

  it('are told again to an upstream that takes none, with every turn', async () => {
    const caller = newCaller();
    client = running.as(caller);
    house.upstream.script = answering('Yes');
    await connectAccount(house, running, caller);
    const conversationId = await conversation();
    const { fileId } = await upload({ conversationId });
    const png = await upload({ conversationId, fileName: 'dot.png', mimeType: 'image/png' }, Buffer.from('iVBORw0KGgo=', 'base64'));
    await client.turn('Read it', { conversationId, attachmentFileIds: [fileId, png.fileId] });
    await client.turn('And now?', { conversationId });
    const sent = house.upstream.received
      .filter(({ path }) => path.endsWith('/chat/completions'))
      .slice(-2)
      .map(({ body }) => JSON.stringify(body.messages));
    expect(sent).toHaveLength(2);
    for (const messages of sent) {
      expect(messages).toContain('The code word is heron.');
      expect(messages).toContain('data:image/png;base64,iVBORw0KGgo=');
    }
  });
});
