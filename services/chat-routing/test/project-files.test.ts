import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ProjectFilesChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';
import { FilesFixture, TEXT } from './files-fixture.ts';
import { refuse } from './files-script.ts';
import { LISTEN } from './turn-fixture.ts';

describe.each(LISTEN)('files of projects, service reached %s', (listen) => {
  let files: FilesFixture;
  beforeAll(async () => {
    files = await FilesFixture.open(listen);
  });
  beforeEach(() => files.settle());
  afterAll(() => files.fixture.close());

  it('are polled until they are ready or failed', async () => {
    const projectId = await files.project();
    const received: string[] = [];
    files.fixture.bus.onNotice(NOTICES.projectFilesChanged, (bytes) => {
      const notice = ProjectFilesChanged.decode(bytes);
      if (notice.workspaceId === files.client.caller.workspaceId) received.push(notice.projectId);
    });
    const { fileId, source } = await files.upload({ projectId });
    expect(source).toMatchObject({ id: fileId, sourceType: 'file', title: 'notes.txt', status: 'processing', sizeBytes: TEXT.length });
    const second = await files.upload({ projectId, fileName: 'other.txt' });
    await waitFor(() => received.length === 2);
    const [one, two] = [...files.script.files.values()];
    if (one) one.status = 'ready';
    if (two) two.status = 'failed';
    await waitFor(async () => (await files.rows()).find(({ id }) => id === fileId)?.status === 'ready');
    await waitFor(async () => (await files.rows()).find(({ id }) => id === second.fileId)?.status === 'failed');
    await waitFor(() => received.length > 2);
    expect(new Set(received)).toEqual(new Set([projectId]));
  });

  it('are refreshed when they are listed', async () => {
    const projectId = await files.project();
    files.script.sourceStatus = 'processing';
    await files.upload({ projectId });
    const list = async () => (await files.running.stub.listProjectSources({ projectId }, { caller: files.client.caller })).sources;
    await expect(list()).resolves.toMatchObject([{ status: 'processing' }]);
    // The poller must not ask about it by itself.
    await files.fixture.sql.query(`UPDATE upstream_files SET next_check_at = now() + interval '1 hour'`);
    const [file] = [...files.script.files.values()];
    if (file) file.status = 'ready';
    await expect(list()).resolves.toMatchObject([{ status: 'ready' }]);
    files.script.intercept = (received) => refuse(received, 500, 'broken');
    await expect(list()).resolves.toMatchObject([{ status: 'ready' }]);
  });

  it('that an upstream never speaks of again have failed after an hour', async () => {
    const projectId = await files.project();
    const { fileId } = await files.upload({ projectId });
    await files.fixture.sql.query(
      `UPDATE upstream_files SET created_at = now() - interval '61 minutes', next_check_at = now() WHERE id = $1`,
      [fileId],
    );
    await waitFor(async () => (await files.rows()).find(({ id }) => id === fileId)?.status === 'failed');
  });

  it('are polled after a restart, by whichever replica is there', async () => {
    const projectId = await files.project();
    const { fileId } = await files.upload({ projectId });
    await files.running.stop();
    const [file] = [...files.script.files.values()];
    if (file) file.status = 'ready';
    files.running = await files.fixture.start({ listen });
    await waitFor(async () => (await files.rows()).find(({ id }) => id === fileId)?.status === 'ready');
  });

  it('that the plan of the account does not allow are refused, and the connection remembers', async () => {
    const projectId = await files.project();
    files.script.intercept = (received) => refuse(received, 403, 'upgrade_required');
    await expect(files.upload({ projectId })).rejects.toMatchObject({ condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED' });
    await expect(files.view()).resolves.toMatchObject({ status: 'active', refused: ['project_files'] });
    files.script.intercept = undefined;
    await files.upload({ projectId });
    await expect(files.view()).resolves.toMatchObject({ refused: [] });
  });
});
