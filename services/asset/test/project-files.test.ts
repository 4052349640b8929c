import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { CSV } from './files.ts';
import { type TestFixture, type Running, newCaller, openFixture } from './fixture.ts';

let fixture: TestFixture;
let caller: Caller;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());
beforeEach(() => {
  caller = newCaller();
});

describe('a file of a project', () => {
  let service: Running;
  beforeAll(async () => {
    service = await fixture.start();
  });

  const upload = (projectId: string, bytes: Buffer) =>
    service.stub.uploadProjectFile(
      (async function* () {
        yield { frame: { $case: 'head' as const, value: { projectId, file: { fileName: 'notes.csv', declaredType: '' } } } };
        yield { frame: { $case: 'chunk' as const, value: bytes } };
      })(),
      { caller },
    );

  it('is a source with an asset, until it is deleted here and upstream', async () => {
    const projectId = uuidv7();
    fixture.upstream.projects.set(projectId, { workspaceId: caller.workspaceId });
    const before = await fixture.files();
    const source = await upload(projectId, CSV);
    expect(source).toMatchObject({
      sourceType: 'file',
      title: 'notes.csv',
      status: 'processing',
      mimeType: 'text/csv',
      sizeBytes: CSV.length,
    });
    await expect(service.stub.getAsset({ id: source.assetId }, { caller })).resolves.toMatchObject({
      assetType: 'attachment',
      status: 'ready',
    });
    await service.stub.deleteProjectFile({ projectId, sourceId: source.id }, { caller });
    expect(fixture.upstream.deletedSources).toContain(source.id);
    await expect(service.stub.getAsset({ id: source.assetId }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    await expect(fixture.files()).resolves.toEqual(before);
    await expect(service.stub.deleteProjectFile({ projectId, sourceId: source.id }, { caller })).rejects.toMatchObject({
      condition: 'SOURCE_NOT_FOUND',
    });
  });

  it('is refused in an unknown project, and where the account may not', async () => {
    await expect(upload(uuidv7(), CSV)).rejects.toMatchObject({ condition: 'PROJECT_NOT_FOUND' });
    const projectId = uuidv7();
    fixture.upstream.projects.set(projectId, { workspaceId: caller.workspaceId });
    fixture.upstream.uploadFails = new GatewayError('UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'upgrade');
    const before = await fixture.files();
    await expect(upload(projectId, CSV)).rejects.toMatchObject({ condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' });
    await expect(fixture.files()).resolves.toEqual(before);
  });
});
