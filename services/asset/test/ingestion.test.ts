import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { createHash } from 'node:crypto';
import { CSV, HTML, PNG, textOf } from './files.ts';
import { type TestFixture, type Running, artifact, newCaller, openFixture, reaches, register } from './fixture.ts';
import { consistsOf, failsWith } from './upstream.ts';

let fixture: TestFixture;
let service: Running;
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start({ maxBytes: 1_000_000 });
});
afterAll(() => fixture.close());

const made = (...args: Parameters<typeof artifact> extends [unknown, ...infer Rest] ? Rest : never) => artifact(fixture.upstream, ...args);
const blobsOf = async (id: string) => (await fixture.files()).filter((name) => name.startsWith(id));

describe('an artifact', () => {
  it('is known at once, then fetched, measured and kept once', async () => {
    const caller = newCaller();
    const one = made(consistsOf(PNG));
    const { conversationId, messageId, assets } = await register(service, caller, [one]);
    expect(assets).toMatchObject([
      { id: one.assetId, assetType: 'image', fileName: 'picture.png', retryCount: 0, conversationId, messageId },
    ]);
    const sha256 = createHash('sha256').update(PNG).digest('hex');
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({
      ...{ mimeType: 'image/png', sizeBytes: PNG.length, width: 1, height: 1, sha256, errorCondition: '' },
    });
    await expect(blobsOf(one.assetId)).resolves.toEqual([`${one.assetId}-1`]);
    expect(fixture.upstream.callers).toContain(caller.workspaceId);
  });

  it('is registered once, however often', async () => {
    const caller = newCaller();
    const one = made(consistsOf(CSV), { assetType: 'file', fileName: 'table.csv', mimeType: 'text/csv' });
    await Promise.all(Array.from({ length: 5 }, () => register(service, caller, [one, one])));
    await reaches(service, caller, one.assetId, 'ready');
    await register(service, caller, [one]);
    expect(fixture.upstream.fetches.get(one.reference)).toBe(1);
    await expect(blobsOf(one.assetId)).resolves.toHaveLength(1);
  });

  it.each([
    ['a PNG that is called a JPEG', PNG, { fileName: 'picture.jpg' }, { fileName: 'picture.png', mimeType: 'image/png' }],
    ['a PNG without an extension', PNG, { fileName: 'picture' }, { fileName: 'picture.png', mimeType: 'image/png' }],
    ['a table', CSV, { assetType: 'file', fileName: 'a.csv' }, { mimeType: 'text/csv' }],
    ['a table that only its type names', CSV, { assetType: 'file', fileName: 'a', mimeType: 'text/csv' }, { fileName: 'a.csv' }],
    [
      'bytes of no known type',
      textOf(100),
      { assetType: 'file', fileName: 'a.xyz', mimeType: '' },
      { mimeType: 'application/octet-stream' },
    ],
  ])('may be %s', async (_what, bytes, claim, expected) => {
    const caller = newCaller();
    const one = made(consistsOf(bytes), claim);
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject(expected);
  });

  it.each([
    ['HTML instead of an image', HTML, {}, 'UNSUPPORTED_FILE_TYPE'],
    ['half an image, which is announced as a whole one', PNG.subarray(0, 50), {}, 'UNSUPPORTED_FILE_TYPE'],
    ['HTML instead of a PDF', HTML, { assetType: 'file', fileName: 'a.pdf' }, 'UNSUPPORTED_FILE_TYPE'],
    ['text instead of audio', CSV, { assetType: 'audio', fileName: 'a.wav' }, 'UNSUPPORTED_FILE_TYPE'],
    ['a picture instead of audio', PNG, { assetType: 'audio', fileName: 'a.png' }, 'UNSUPPORTED_FILE_TYPE'],
    ['larger than allowed', textOf(1_000_001), { assetType: 'file', fileName: 'a.txt' }, 'FILE_TOO_LARGE'],
  ])('fails at once when it is %s, and nothing is kept', async (_what, bytes, claim, errorCondition) => {
    const caller = newCaller();
    const one = made(consistsOf(bytes), claim);
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'failed')).resolves.toMatchObject({ errorCondition, sizeBytes: 0, sha256: '' });
    expect(fixture.upstream.fetches.get(one.reference)).toBe(1);
    await expect(blobsOf(one.assetId)).resolves.toEqual([]);
  });

  it('is fetched again when it came incomplete', async () => {
    const caller = newCaller();
    const one = made(async function* (attempt) {
      yield { frame: { $case: 'head', value: { mimeType: '', sizeBytes: PNG.length, fileName: '' } } };
      yield { frame: { $case: 'chunk', value: attempt === 1 ? PNG.subarray(0, 40) : PNG } };
    });
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ sizeBytes: PNG.length, retryCount: 0 });
    expect(fixture.upstream.fetches.get(one.reference)).toBe(2);
    await expect(blobsOf(one.assetId)).resolves.toHaveLength(1);
  });

  it('is waited for while the upstream still makes it, longer than a failure would be', async () => {
    const caller = newCaller();
    const errors = Array.from({ length: 4 }, () => new GatewayError('ASSET_NOT_READY', 'not yet'));
    const one = made(failsWith(errors, consistsOf(PNG)));
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ retryCount: 0 });
  });

  it('fails with what the upstream refuses, and can be retried until it is there', async () => {
    const caller = newCaller();
    const one = made(failsWith([new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the session has expired')], consistsOf(PNG)));
    await register(service, caller, [one]);
    const errorCondition = 'ACCOUNT_REAUTH_REQUIRED';
    await expect(reaches(service, caller, one.assetId, 'failed')).resolves.toMatchObject({
      errorCondition,
      errorMessage: 'the session has expired',
    });
    const init = { caller };
    await expect(service.stub.retryAsset({ id: one.assetId }, init)).resolves.toMatchObject({
      status: 'discovered',
      retryCount: 1,
      errorCondition: '',
    });
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ retryCount: 1 });
    await expect(service.stub.retryAsset({ id: one.assetId }, init)).rejects.toMatchObject({ condition: 'ASSET_NOT_RETRYABLE' });
    await expect(blobsOf(one.assetId)).resolves.toHaveLength(1);
  });

  it('is given up after three attempts that failed', async () => {
    const caller = newCaller();
    const errors = Array.from({ length: 3 }, () => new GatewayError('PROVIDER_UNAVAILABLE', 'down'));
    const one = made(failsWith(errors, consistsOf(PNG)));
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'failed')).resolves.toMatchObject({ errorCondition: 'PROVIDER_UNAVAILABLE' });
    expect(fixture.upstream.fetches.get(one.reference)).toBe(3);
  });
});

describe('a registration', () => {
  const valid = () => ({ conversationId: uuidv7(), messageId: uuidv7(), artifacts: [made(consistsOf(PNG))] });
  it.each([
    ['a conversation', () => ({ ...valid(), conversationId: 'x' }), 'conversation_id'],
    ['a message', () => ({ ...valid(), messageId: '' }), 'message_id'],
    ['an asset id', () => ({ ...valid(), artifacts: [{ ...made(consistsOf(PNG)), assetId: '1' }] }), 'artifacts.asset_id'],
    ['a type', () => ({ ...valid(), artifacts: [{ ...made(consistsOf(PNG)), assetType: 'virus' }] }), 'artifacts.asset_type'],
  ])('is refused without %s that can be', async (_what, request, param) => {
    const refused = service.stub.registerArtifacts(request(), { caller: newCaller() });
    await expect(refused).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
  });

  it('makes names safe', async () => {
    const { assets } = await register(service, newCaller(), [made(consistsOf(PNG), { fileName: '../../a\r\nb\u202e.png' })]);
    expect(assets).toMatchObject([{ fileName: 'ab.png' }]);
  });
});

it('shares the work between replicas, and keeps every asset once', async () => {
  const other = await fixture.start();
  const caller = newCaller();
  const artifacts = Array.from({ length: 20 }, () => made(consistsOf(PNG)));
  await register(service, caller, artifacts);
  await waitFor(async () => {
    const { assets } = await other.stub.listAssets({ ids: artifacts.map(({ assetId }) => assetId) }, { caller });
    return assets.length === 20 && assets.every(({ status }) => status === 'ready');
  });
  for (const { assetId, reference } of artifacts) {
    expect(fixture.upstream.fetches.get(reference)).toBe(1);
    await expect(blobsOf(assetId)).resolves.toHaveLength(1);
  }
});
