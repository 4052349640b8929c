import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { textOf } from './files.ts';
import { type TestFixture, type Running, artifact, newCaller, openFixture, reaches, register } from './fixture.ts';

const MIB = 1_024 ** 2;
const SIZE = 100 * MIB;

let fixture: TestFixture;
let service: Running;
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start();
});
afterAll(() => fixture.close());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The size of buffers that are still referenced. */
function held(): number {
  // A collection goes on in the background; the next one finishes it first.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

it('holds next to nothing of 100 MB, neither when they come nor when they go', async () => {
  const caller = newCaller();
  const chunk = textOf(65_536);
  const most = { ingested: 0, downloaded: 0 };
  const before = held();
  const one = artifact(
    fixture.upstream,
    async function* () {
      yield { frame: { $case: 'head', value: { mimeType: '', sizeBytes: SIZE, fileName: '' } } };
      for (let sent = 0; sent < SIZE; sent += chunk.length) {
        if (sent % (10 * MIB) === 0) most.ingested = Math.max(most.ingested, held() - before);
        // A copy, as bytes from a network would be.
        yield { frame: { $case: 'chunk', value: Buffer.from(chunk) } };
      }
    },
    { assetType: 'file', fileName: 'big.txt', mimeType: 'text/plain' },
  );
  // Collecting the garbage of earlier tests takes seconds, in which database responses are not read.
  await waitFor(() => register(service, caller, [one]).then(() => true));
  await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ sizeBytes: SIZE });

  const { baseUrl, path } = await service.stub.openDownload({ id: one.assetId }, { caller });
  const { body } = await fetch(`${baseUrl}${path}`);
  let received = 0;
  let next = 0;
  for await (const part of body ?? []) {
    received += (part as Uint8Array).length;
    if (received < next) continue;
    next += 10 * MIB;
    most.downloaded = Math.max(most.downloaded, held() - before);
  }
  expect(received).toBe(SIZE);
  expect(most.ingested).toBeLessThan(16 * MIB);
  expect(most.downloaded).toBeLessThan(16 * MIB);
});
