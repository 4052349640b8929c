import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type UploadAttachmentRequest } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { CSV, EXE, HTML, PNG, SVG, textOf } from './files.ts';
import { type TestFixture, type Running, newCaller, newConversation, openFixture } from './fixture.ts';

const TEN_MIB = 10 * 1_024 ** 2;

let fixture: TestFixture;
let caller: Caller;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());
beforeEach(() => {
  caller = newCaller();
  fixture.upstream.uploadFails = undefined;
  fixture.upstream.onUploaded = () => undefined;
});

async function* frames(conversationId: string, fileName: string, bytes: Buffer, chunk = 65_536): AsyncGenerator<UploadAttachmentRequest> {
  yield { frame: { $case: 'head', value: { conversationId, file: { fileName, declaredType: 'image/png' } } } };
  for (let at = 0; at < bytes.length; at += chunk) yield { frame: { $case: 'chunk', value: bytes.subarray(at, at + chunk) } };
}

const rows = async (workspaceId: string) =>
  (await fixture.sql.query<{ id: string }>('SELECT id FROM assets WHERE workspace_id = $1', [workspaceId])).rows;

describe.each(['in-process', '127.0.0.1:0'] as const)('an attachment, at %s', (listen) => {
  let service: Running;
  beforeAll(async () => {
    service = await fixture.start({ listen });
  });

  const upload = (conversationId: string, fileName: string, bytes: Buffer, by = caller) =>
    service.stub.uploadAttachment(frames(conversationId, fileName, bytes), { caller: by, deadlineMs: 20_000 });

  /** The error, and that nothing is left of it anywhere. */
  async function leavesNothing(uploading: () => Promise<unknown>, condition: string): Promise<void> {
    const files = await fixture.files();
    await expect(uploading()).rejects.toMatchObject({ condition });
    // Over gRPC a cancel returns before the service has cleaned up.
    await waitFor(async () => (await fixture.files()).length === files.length);
    await expect(rows(caller.workspaceId)).resolves.toEqual([]);
  }

  it('is kept, taken upstream and listed', async () => {
    const conversation = newConversation(fixture.upstream, caller);
    const { fileId, asset } = await upload(conversation, 'photo.png', PNG);
    const id = asset?.id ?? '';
    expect(asset).toMatchObject({
      ...{ assetType: 'attachment', fileName: 'photo.png', mimeType: 'image/png', sizeBytes: PNG.length, status: 'ready' },
      ...{ width: 1, height: 1, conversationId: conversation, messageId: '' },
    });
    const taken = fixture.upstream.uploads.find((one) => one.fileId === fileId);
    expect(taken?.bytes.equals(PNG)).toBe(true);
    const { mimeType, sha256 } = asset ?? {};
    expect(taken?.head).toEqual({
      conversationId: conversation,
      projectId: '',
      assetId: id,
      fileName: 'photo.png',
      mimeType,
      sizeBytes: PNG.length,
      sha256,
    });
    const listed = await service.stub.listConversationAssets({ conversationId: conversation, limit: 0, offset: 0 }, { caller });
    expect(listed).toEqual({ assets: [asset], total: 1 });
    await expect(service.stub.retryAsset({ id }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_RETRYABLE' });
  });

  it('may have 10 MB, and not a byte more', async () => {
    const conversation = newConversation(fixture.upstream, caller);
    await expect(upload(conversation, 'a.txt', textOf(TEN_MIB))).resolves.toMatchObject({ asset: { sizeBytes: TEN_MIB } });
    caller = newCaller();
    const other = newConversation(fixture.upstream, caller);
    await leavesNothing(() => upload(other, 'a.txt', textOf(TEN_MIB + 1)), 'FILE_TOO_LARGE');
  });

  it.each([
    ['an empty file', 'a.txt', Buffer.alloc(0), 'VALIDATION_ERROR'],
    ['a program called a PDF', 'a.pdf', EXE, 'UNSUPPORTED_FILE_TYPE'],
    ['an SVG called a PNG', 'a.png', SVG, 'UNSUPPORTED_FILE_TYPE'],
    ['HTML called a PNG', 'a.png', HTML, 'UNSUPPORTED_FILE_TYPE'],
    ['a program', 'a.exe', EXE, 'UNSUPPORTED_FILE_TYPE'],
    ['half an image', 'a.png', PNG.subarray(0, 14), 'UNSUPPORTED_FILE_TYPE'],
  ])('is refused as %s', async (_what, name, bytes, condition) => {
    const uploads = fixture.upstream.uploads.length;
    const conversation = newConversation(fixture.upstream, caller);
    await leavesNothing(() => upload(conversation, name, bytes), condition);
    expect(fixture.upstream.uploads).toHaveLength(uploads);
  });

  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['a\r\nX-Evil: 1.csv', 'aX-Evil: 1.csv'],
    ['\u202ecsv.exe.csv', 'csv.exe.csv'],
  ])('with the name %j is called %j', async (given, fileName) => {
    const conversation = newConversation(fixture.upstream, caller);
    await expect(upload(conversation, given, CSV)).resolves.toMatchObject({ asset: { fileName } });
  });

  it('is refused before a byte of it is read, when the caller may not write', async () => {
    const viewer = newCaller({ workspaceId: caller.workspaceId, userId: uuidv7() });
    const editor = newCaller({ workspaceId: caller.workspaceId, userId: uuidv7() });
    const conversation = newConversation(fixture.upstream, caller, { [viewer.userId]: 'viewer', [editor.userId]: 'editor' });
    let read = 0;
    const endless = async function* () {
      yield* frames(conversation, 'a.txt', Buffer.alloc(0));
      for (;;) {
        read++;
        yield { frame: { $case: 'chunk' as const, value: textOf(65_536) } };
      }
    };
    for (const [by, condition] of [
      [viewer, 'CONVERSATION_ACCESS_DENIED'],
      [newCaller(), 'CONVERSATION_ACCESS_DENIED'],
    ] as const) {
      await expect(service.stub.uploadAttachment(endless(), { caller: by })).rejects.toMatchObject({ condition });
    }
    // Over gRPC some chunks are sent before the service can reject them.
    if (listen === 'in-process') expect(read).toBe(0);
    await expect(upload(uuidv7(), 'a.csv', CSV)).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    await expect(upload(conversation, 'a.csv', CSV, editor)).resolves.toMatchObject({ asset: { status: 'ready' } });
  });

  it('leaves nothing when the upstream does not take it', async () => {
    fixture.upstream.uploadFails = new GatewayError('UPLOAD_FAILED', 'the provider refused');
    const conversation = newConversation(fixture.upstream, caller);
    await leavesNothing(() => upload(conversation, 'a.csv', CSV), 'UPLOAD_FAILED');
  });

  it('is taken back upstream when it cannot be recorded', async () => {
    const conversation = newConversation(fixture.upstream, caller);
    fixture.upstream.onUploaded = async () => {
      await fixture.sql.query(`ALTER TABLE assets ADD CONSTRAINT "full" CHECK (asset_type <> 'attachment') NOT VALID`);
    };
    await leavesNothing(() => upload(conversation, 'a.csv', CSV), 'INTERNAL_ERROR');
    await fixture.sql.query('ALTER TABLE assets DROP CONSTRAINT "full"');
    expect(fixture.upstream.discarded).toContain(fixture.upstream.uploads.at(-1)?.fileId);
  });

  it('leaves nothing when the client goes away in the middle', async () => {
    const before = await fixture.files();
    const conversation = newConversation(fixture.upstream, caller);
    const abort = new AbortController();
    const stalling = async function* () {
      yield* frames(conversation, 'a.txt', textOf(300_000));
      await new Promise((resolve) => abort.signal.addEventListener('abort', resolve));
    };
    await leavesNothing(async () => {
      const uploading = service.stub.uploadAttachment(stalling(), { caller, signal: abort.signal, deadlineMs: 20_000 });
      await waitFor(async () => (await fixture.files()).length > before.length);
      abort.abort();
      return uploading;
    }, 'CANCELLED');
  });

  it('must begin with its head', async () => {
    const headless = async function* () {
      yield { frame: { $case: 'chunk' as const, value: CSV } };
    };
    await expect(service.stub.uploadAttachment(headless(), { caller })).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'file',
    });
  });
});
