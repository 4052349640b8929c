import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENTS } from '@parley/protos/subjects';
import { act, content, createJob, ended, getJob, makeSpeaker, type ShownJob, storedSpeech } from '../harness/audio.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { jobsToldOf } from '../harness/events.ts';
import { type Parley, START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { partOf } from '../harness/parts.ts';
import { familyOf, type Sighting } from '../harness/processes.ts';
import { type Uploader } from '../harness/upload.ts';

/** The longest text, spoken at the slowest: minutes of audio, and seconds of work. */
const LONG = 'A door that was open yesterday is closed today, and nobody remembers it. '.repeat(136);
const SLOWEST = { provider: 'flite', provider_options: { speed: 0.25 } };
/** After a cancel, no more CPU is used for the job. */
const GONE_MS = 1_000;
const SLOW_MS = 120_000;

describe('a job that is cancelled while it is spoken', () => {
  let parley: Parley | undefined;
  let gateway: Parley;
  let me: Uploader;
  beforeAll(async () => {
    gateway = parley = await startParley({ topology: 'separate', env: { PARLEY_AUDIO_WORKERS: '1' } });
    ({ me } = await makeSpeaker(() => gateway));
  }, START_MS);
  afterAll(() => parley?.dispose(), STOP_MS);

  /** The processes that speak: children of the service. */
  const engines = async (): Promise<Sighting[]> => {
    const { pid } = await partOf(gateway, 'audio');
    return (await familyOf(pid)).filter(({ commandLine }) => commandLine.includes('speech-engine'));
  };
  const underWay = async (): Promise<ShownJob> => {
    const { id } = await createJob(me, LONG, SLOWEST);
    return waitFor(
      async () => [await getJob(me, id)].find(({ status, progress }) => status === 'processing' && progress > 0 && progress < 80),
      { timeoutMs: SLOW_MS, everyMs: 20 },
    );
  };

  it(
    'takes its engine with it within a second, and leaves nothing behind',
    async () => {
      const { id } = await underWay();
      const [engine] = await engines();
      expect(engine).toBeDefined();
      expect(await act(me, id, 'cancel')).toMatchObject({ status: 200, json: { id, status: 'cancelled' } });
      await waitFor(async () => (await engines()).every(({ pid }) => pid !== engine?.pid), { timeoutMs: GONE_MS, everyMs: 20 });
      expect(await getJob(me, id)).toMatchObject({ status: 'cancelled', output_size_bytes: null });
      expectRefusal(await content(me, id).then(asJson), { status: 409, code: 'AUDIO_NOT_READY' });
      await waitFor(async () => (await jobsToldOf(gateway, EVENTS.speechJobCancelled)).includes(id));
      expect(await jobsToldOf(gateway, EVENTS.speechJobCompleted)).not.toContain(id);
      expect(await storedSpeech(gateway)).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'makes room for the next one at once',
    async () => {
      const { id } = await underWay();
      const next = await createJob(me, 'The next one, please.');
      expect(await getJob(me, next.id)).toMatchObject({ status: 'queued' });
      expect((await act(me, id, 'cancel')).status).toBe(200);
      expect(await ended(me, next.id)).toMatchObject({ status: 'completed' });
      expect((await content(me, next.id)).status).toBe(200);
      expect(await getJob(me, id)).toMatchObject({ status: 'cancelled' });
    },
    SLOW_MS,
  );
});

function asJson({ status, headers, bytes }: Awaited<ReturnType<typeof content>>) {
  return { status, headers, json: JSON.parse(bytes.toString()) as unknown };
}
