import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type UploadFileRequest } from '@parley/protos/routing/v1/project';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { FilesFixture, TEXT } from './files-fixture.ts';
import { refuse } from './files-script.ts';
import { connectAccount, newCaller } from './fixture.ts';
import { answering } from './openai-script.ts';
import { LISTEN } from './turn-fixture.ts';

describe.each(LISTEN)('files of conversations and projects, service reached %s', (listen) => {
  let files: FilesFixture;
  beforeAll(async () => {
    files = await FilesFixture.open(listen);
  });
  beforeEach(() => files.settle());
  afterAll(() => files.fixture.close());

  it('are streamed to the account of their conversation, and attached to the next message of the user', async () => {
    const conversationId = await files.conversation();
    const { fileId, source } = await files.upload({ conversationId });
    expect(fileId).toMatch(/^file_[A-Za-z0-9_-]{24,}$/);
    expect(source).toBeUndefined();
    expect([...files.script.files]).toEqual([['sf_1', { name: 'notes.txt', bytes: TEXT, status: 'ready' }]]);
    const outcome = await files.client.turn('What is the code word?', { conversationId, attachmentFileIds: [fileId] });
    expect(outcome.error).toBeUndefined();
    expect(files.script.conversations.asked.at(-1)?.body.messages).toMatchObject([
      { content: 'What is the code word?', attachments: ['sf_1'] },
    ]);
    const begun = files.fixture.conversation.turnsOf(conversationId).at(-1)?.begin;
    expect(begun?.messages).toMatchObject([{ role: 'user', files: [{ fileId, fileName: 'notes.txt', mimeType: 'text/plain' }] }]);
  });

  it('stay with a turn that is repeated', async () => {
    const conversationId = await files.conversation();
    const { fileId } = await files.upload({ conversationId });
    const over = { conversationId, attachmentFileIds: [fileId], requestDigest: Buffer.from('d') };
    files.script.conversations.refusal = { status: 500, code: 'broken' };
    await expect(files.client.refusal(over)).resolves.toBe('PROVIDER_BAD_ANSWER');
    files.script.conversations.refusal = undefined;
    await expect(files.client.refusal(over)).resolves.toBe('');
    expect(files.script.conversations.asked.at(-1)?.body).toMatchObject({ again: true, messages: [{ attachments: ['sf_1'] }] });
    expect(files.fixture.conversation.turnsOf(conversationId).map(({ begin }) => begin.messages.map(({ files }) => files.length))).toEqual([
      [0],
      [1],
      [],
    ]);
  });

  describe('named in a turn', () => {
    let conversationId: string;
    let fileId: string;
    beforeEach(async () => {
      conversationId = await files.conversation();
      ({ fileId } = await files.upload({ conversationId }));
    });
    const unknown = `file_${'a'.repeat(32)}`;

    it.each([
      ['an unknown one', () => [unknown], 'ASSET_NOT_FOUND'],
      ['something that is no id', () => ["file_' OR 1=1"], 'ASSET_NOT_FOUND'],
      ['a known and an unknown one', () => [fileId, unknown], 'ASSET_NOT_FOUND'],
      ['one twice', () => [fileId, fileId], 'VALIDATION_ERROR'],
      ['too many', () => Array.from({ length: 21 }, (_, n) => unknown.slice(0, -2) + String(n + 10)), 'VALIDATION_ERROR'],
    ])('%s is refused', async (_name, ids, condition) => {
      const outcome = await files.client.turn('hello', { conversationId, attachmentFileIds: ids() });
      expect(outcome).toMatchObject({ recorded: false, error: { condition, param: 'attachment_file_ids' } });
      expect(files.fixture.conversation.turnsOf(conversationId)).toHaveLength(1);
    });

    it('those of another conversation, of none, and of another workspace are out of bounds', async () => {
      const refused = { error: { condition: 'ASSET_ACCESS_DENIED', param: 'attachment_file_ids' } };
      const other = await files.conversation();
      await expect(files.client.turn('hello', { conversationId: other, attachmentFileIds: [fileId] })).resolves.toMatchObject(refused);
      await expect(files.client.turn('hello', { attachmentFileIds: [fileId] })).resolves.toMatchObject(refused);
      const stranger = files.running.as(newCaller());
      await files.connect(stranger, 'eve');
      const theirs = await files.conversation(stranger);
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
      const conversationId = name === 'that belong nowhere' ? '' : await files.conversation();
      const before = await files.rows();
      await expect(files.upload({ conversationId, ...over })).rejects.toMatchObject({ condition });
      expect(files.script.files.size).toBe(0);
      await expect(files.rows()).resolves.toEqual(before);
    });

    it('for conversations that are unknown, of another key, or of a key that may not write', async () => {
      await expect(files.upload({ conversationId: randomUUID() })).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
      const conversationId = await files.conversation();
      const other = files.running.as({ ...files.client.caller, keyId: randomUUID() });
      await expect(files.upload({ conversationId }, TEXT, other)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
      expect(files.script.files.size).toBe(0);
    });

    it('for conversations that cannot go on', async () => {
      const conversationId = await files.conversation();
      const known = files.fixture.conversation.conversations.get(conversationId);
      if (known) known.continuityStatus = 'deleted_upstream';
      await expect(files.upload({ conversationId })).rejects.toMatchObject({ condition: 'CONVERSATION_DELETED_UPSTREAM' });
    });

    it('for projects that are unknown or of another workspace', async () => {
      await expect(files.upload({ projectId: randomUUID() })).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
      const theirs = await files.project(randomUUID());
      await expect(files.upload({ projectId: theirs })).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
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
    const conversationId = await files.conversation();
    const before = await files.rows();
    files.script.intercept = (received) => refuse(received, status, code);
    await expect(files.upload({ conversationId })).rejects.toMatchObject({ condition });
    await expect(files.rows()).resolves.toEqual(before);
    const expected = { PROVIDER_RATE_LIMITED: 'rate_limited', ACCOUNT_REAUTH_REQUIRED: 'expired' }[condition] ?? 'active';
    await expect(files.view()).resolves.toMatchObject({ status: expected });
  });

  it('fail in time on an upstream that does not answer', async () => {
    const patient = await files.fixture.start({ listen, uploadMs: 200 });
    const conversationId = await files.conversation();
    files.script.intercept = () => true;
    const before = files.running;
    files.running = patient;
    await expect(files.upload({ conversationId })).rejects.toMatchObject({ condition: 'UPLOAD_FAILED' });
    files.running = before;
    await patient.stop();
  });

  it('are taken back upstream when they cannot be kept here', async () => {
    const conversationId = await files.conversation();
    await files.fixture.sql.query('ALTER TABLE upstream_files ADD CONSTRAINT no_room CHECK (false) NOT VALID');
    try {
      await expect(files.upload({ conversationId })).rejects.toMatchObject({ condition: 'INTERNAL_ERROR' });
    } finally {
      await files.fixture.sql.query('ALTER TABLE upstream_files DROP CONSTRAINT no_room');
    }
    expect(files.script.files.size).toBe(0);
    expect(files.fixture.upstream.received.some(({ method, path }) => method === 'DELETE' && path === '/api/files/sf_1')).toBe(true);
  });

  it('are given up when the caller is gone', async () => {
    const conversationId = await files.conversation();
    const before = await files.rows();
    const gone = new AbortController();
    files.script.intercept = async ({ res }) => {
      gone.abort();
      await once(res, 'close');
      return true;
    };
    const head = { conversationId, projectId: '', assetId: randomUUID(), fileName: 'a', mimeType: 'text/plain', sizeBytes: 1 };
    const frames = (async function* (): AsyncGenerator<UploadFileRequest> {
      yield { frame: { $case: 'head', value: { ...head, sha256: createHash('sha256').update('x').digest('hex') } } };
      yield { frame: { $case: 'chunk', value: Buffer.from('x') } };
    })();
    const init = { caller: files.client.caller, deadlineMs: 20_000, signal: gone.signal };
    await expect(files.running.stub.uploadFile(frames, init)).rejects.toMatchObject({ condition: 'CANCELLED' });
    await waitFor(() => files.fixture.upstream.received.find(({ path }) => path === '/api/files')?.isClosed);
    await expect(files.rows()).resolves.toEqual(before);
  });

  it('are forgotten when they are discarded, by their own workspace', async () => {
    const conversationId = await files.conversation();
    const { fileId } = await files.upload({ conversationId });
    await files.running.stub.discardFile({ fileId }, { caller: newCaller() });
    expect(files.script.files.size).toBe(1);
    await files.running.stub.discardFile({ fileId }, { caller: files.client.caller });
    expect(files.script.files.size).toBe(0);
    await expect(files.client.refusal({ conversationId, attachmentFileIds: [fileId] })).resolves.toBe('ASSET_NOT_FOUND');
    await files.running.stub.discardFile({ fileId }, { caller: files.client.caller });
  });

  it('are sent with every turn to an upstream that keeps none', async () => {
    const caller = newCaller();
    files.client = files.running.as(caller);
    files.fixture.upstream.script = answering('Yes');
    await connectAccount(files.fixture, files.running, caller);
    const conversationId = await files.conversation();
    const { fileId } = await files.upload({ conversationId });
    const png = await files.upload({ conversationId, fileName: 'dot.png', mimeType: 'image/png' }, Buffer.from('iVBORw0KGgo=', 'base64'));
    await files.client.turn('Read it', { conversationId, attachmentFileIds: [fileId, png.fileId] });
    await files.client.turn('And now?', { conversationId });
    const sent = files.fixture.upstream.received
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
