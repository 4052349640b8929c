import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { openDatabase } from '../src/store/database.ts';
import { sweepExpiredAudio } from '../src/sweep/sweep.ts';
import { type TestFixture, newCaller, openFixture, SILENT } from './fixture.ts';

const DAY_MS = 86_400_000;

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.start();
});
afterAll(() => fixture.close());

it('forgets the metrics of transcriptions of a month ago, and none that is younger', async () => {
  const { workspaceId } = newCaller();
  const [old, young] = [31, 29].map((days) => idOf(Date.now() - days * DAY_MS));
  for (const id of [old, young]) {
    await fixture.sql.query(
      `INSERT INTO transcriptions (id, workspace_id, key_id, provider, mime_type, size_bytes, language, duration_ms, work_ms, status, created_at, ended_at)
       VALUES ($1, $2, 'k', '', '', 0, '', 0, 0, 'completed', now(), now())`,
      [id, workspaceId],
    );
  }
  const database = openDatabase(fixture.databaseUrl, SILENT);
  await sweepExpiredAudio({ database, blobs: await openBlobStore({ kind: 'folder', path: fixture.folder }), log: SILENT });
  await database.close();
  const { rows } = await fixture.sql.query('SELECT id FROM transcriptions WHERE workspace_id = $1', [workspaceId]);
  expect(rows).toEqual([{ id: young }]);
});

/** An id that was made then. */
function idOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${uuidv7().slice(13)}`;
}
