import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { content, createJob, ended, listJobs, makeSpeaker, storedSpeech } from '../harness/audio.ts';
import { query } from '../harness/database.ts';
import { jobsToldOf } from '../harness/events.ts';
import { type Parley, START_MS, startParley, STOP_MS, type Topology } from '../harness/parley.ts';
import { killPart, partOf, type PartName } from '../harness/parts.ts';
import { allConsumed } from '../harness/send-again.ts';
import { usageOf } from '../harness/usage.ts';

/** The engines take two at a time. */
const JOBS = 6;
const DONE_MS = 180_000;
const TEXT = 'A door that was open yesterday is closed today, and no record shows who closed it. '.repeat(10);

interface Death {
  what: PartName | 'everything';
  topology: Topology;
  /** Work is lost and has to be begun again. */
  breaksWork: boolean;
}

const DEATHS: readonly Death[] = [
  { what: 'audio', topology: 'separate', breaksWork: true },
  { what: 'parley', topology: 'single', breaksWork: true },
  { what: 'everything', topology: 'single', breaksWork: true },
  { what: 'edge', topology: 'separate', breaksWork: false },
];

/** Kill -9, and gives the gateway that goes on. */
async function die(gateway: Parley, what: Death['what']): Promise<Parley> {
  if (what === 'everything') {
    await gateway.stop('SIGKILL');
    return gateway.restart();
  }
  const killed = await killPart(gateway, what);
  await partOf(gateway, what, killed);
  return gateway;
}

describe.each(DEATHS)('kill -9 of $what ($topology) while texts are spoken', ({ what, topology, breaksWork }) => {
  it(
    'loses none, and completes each once',
    async () => {
      const first = await startParley({ topology });
      try {
        const { me } = await makeSpeaker(() => first);
        const jobs = await Promise.all(Array.from({ length: JOBS }, (_, n) => createJob(me, `${n}. ${TEXT}`)));
        const ids = jobs.map(({ id }) => id).sort();
        // Some have been spoken, some are being spoken, and some wait.
        await waitFor(
          async () => {
            const statuses = new Set((await listJobs(me)).map(({ status }) => status));
            return statuses.has('completed') && statuses.has('processing') && statuses.has('queued');
          },
          { everyMs: 20, timeoutMs: DONE_MS },
        );
        const gateway = await die(first, what);
        const mine = { ...me, gateway };
        await waitFor(async () => (await listJobs(mine).catch(() => [])).length === JOBS, { timeoutMs: START_MS });
        for (const id of ids) {
          const job = await ended(mine, id);
          expect(job).toMatchObject({ status: 'completed', error: null });
          expect((await content(mine, id)).bytes).toHaveLength(job.output_size_bytes ?? 0);
        }
        expect((await listJobs(mine)).map(({ id }) => id).sort()).toEqual(ids);
        // The kill came in the middle of work: some had to be begun again.
        const [begun] = await query<{ most: number }>(gateway, 'SELECT max(generation)::int AS most FROM audio.speech_jobs');
        if (breaksWork) expect(begun?.most).toBeGreaterThan(1);
        expect(await storedSpeech(gateway)).toHaveLength(JOBS);

        await allConsumed(gateway);
        await waitFor(async () => (await jobsToldOf(gateway, EVENT_SUBJECTS.speechJobCompleted)).length >= JOBS);
        expect((await jobsToldOf(gateway, EVENT_SUBJECTS.speechJobCompleted)).sort()).toEqual(ids);
        await waitFor(async () => (await usageOf(gateway, me.key)).successful >= JOBS);
        expect(await usageOf(gateway, me.key)).toMatchObject({ total_requests: JOBS, successful: JOBS, errors: 0 });
      } finally {
        await first.dispose();
      }
    },
    2 * (START_MS + DONE_MS + STOP_MS),
  );
});
