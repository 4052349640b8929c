import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { content, createJob, ended, listJobs, makeSpeaker, storedSpeech } from '../../harness/audio.ts';
import { query } from '../../harness/database.ts';
import { jobsToldOf } from '../../harness/events.ts';
import { START_MS, startParley, STOP_MS } from '../../harness/parley.ts';
import { nothingLeft } from '../../harness/processes.ts';
import { usageOf } from '../../harness/usage.ts';

const JOBS = 6;
const TEXT = 'A door that was open yesterday is closed today, and no record shows who closed it. '.repeat(20);
const DONE_MS = 180_000;
/** A process stops within this time after SIGTERM. */
const STOPPED_MS = 60_000;

describe.each(['single', 'separate'] as const)('SIGTERM (%s) while texts are spoken', (topology) => {
  it(
    'ends with 0 and leaves no engine; the rest is spoken after the next start, each once, and no crash is counted',
    async () => {
      const first = await startParley({ topology });
      try {
        const { me } = await makeSpeaker(() => first);
        const jobs = await Promise.all(Array.from({ length: JOBS }, (_, n) => createJob(me, `${n}. ${TEXT}`)));
        const ids = jobs.map(({ id }) => id).sort();
        await waitFor(async () => (await listJobs(me)).some(({ status }) => status === 'processing'), { timeoutMs: DONE_MS, everyMs: 20 });
        const family = first.family();
        first.signal('SIGTERM');
        expect(await first.exited).toEqual({ code: 0, signal: null });
        await nothingLeft(family, first.dataDir, 2_000);

        const restarted = new Date();
        const gateway = await first.restart();
        const mine = { ...me, gateway };
        for (const id of ids) {
          expect(await ended(mine, id)).toMatchObject({ status: 'completed', error: null });
          expect((await content(mine, id)).status).toBe(200);
        }
        expect((await query(gateway, 'SELECT 1 FROM audio.speech_jobs WHERE updated_at > $1', [restarted])).length).toBeGreaterThan(0);
        expect(await query(gateway, 'SELECT 1 FROM audio.speech_jobs WHERE crashes > 0')).toEqual([]);
        expect(await storedSpeech(gateway)).toHaveLength(JOBS);
        await waitFor(async () => (await usageOf(gateway, me.key)).successful >= JOBS);
        expect(await usageOf(gateway, me.key)).toMatchObject({ total_requests: JOBS, successful: JOBS });
        expect((await jobsToldOf(gateway, EVENT_SUBJECTS.speechJobCompleted)).sort()).toEqual(ids);
      } finally {
        await first.dispose();
      }
    },
    2 * START_MS + DONE_MS + STOPPED_MS + STOP_MS,
  );
});
