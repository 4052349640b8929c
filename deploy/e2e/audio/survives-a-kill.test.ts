import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { content, createJob, ended, listJobs, makeSpeaker } from '../harness/audio.ts';
import { START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { killPart, partOf } from '../harness/parts.ts';

const JOBS = 10;
const DONE_MS = 180_000;
const TEXT = 'A door that was open yesterday is closed today, and nobody remembers who closed it. '.repeat(60);

describe.each([
  ['audio', 'separate'],
  ['parley', 'single'],
  ['edge', 'separate'],
] as const)('kill -9 of %s (%s) while ten texts are spoken', (part, topology) => {
  it(
    'loses none, and completes each once',
    async () => {
      const house = await startParley({ topology });
      try {
        const { me } = await makeSpeaker(() => house);
        const jobs = await Promise.all(Array.from({ length: JOBS }, (_, n) => createJob(me, `${n}. ${TEXT}`)));
        await waitFor(async () => (await listJobs(me)).some(({ status }) => status === 'processing' || status === 'completed'), {
          everyMs: 20,
        });
        const killed = await killPart(house, part);
        await partOf(house, part, killed);
        await waitFor(async () => (await listJobs(me).catch(() => [])).length === JOBS, { timeoutMs: START_MS });
        for (const { id } of jobs) {
          expect(await ended(me, id)).toMatchObject({ status: 'completed', error: null });
          expect((await content(me, id)).status).toBe(200);
        }
        expect(await listJobs(me)).toHaveLength(JOBS);
        const blobs = (await readdir(join(house.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) =>
          entry.isFile(),
        );
        expect(blobs).toHaveLength(JOBS);
      } finally {
        await house.dispose();
      }
    },
    START_MS + DONE_MS + STOP_MS,
  );
});
