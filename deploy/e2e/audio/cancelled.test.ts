import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { act, content, createJob, ended, getJob, makeSpeaker, storedSpeech } from '../harness/audio.ts';
import { jobsToldOf } from '../harness/events.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { freeze, partOf } from '../harness/parts.ts';
import { familyOf, type Sighting } from '../harness/processes.ts';
import { type Uploader } from '../harness/upload.ts';

/** The longest text, spoken at the slowest: minutes of audio, and seconds of work. */
const LONG = 'A door that was open yesterday is closed today, and nobody remembers it. '.repeat(136);
const SLOWEST = { provider: 'flite', provider_options: { speed: 0.25 } };

describe('a job that is cancelled while it is spoken', () => {
  let parley: Parley | undefined;
  let gateway: Parley;
  let me: Uploader;
  beforeAll(async () => {
    gateway = parley = await startParley({ topology: 'separate', env: { PARLEY_AUDIO_WORKERS: '1' } });
    ({ me } = await makeSpeaker(() => gateway));
  });
  afterAll(() => parley?.dispose());

  /** The processes that speak: children of the service. */
  const engines = async (): Promise<Sighting[]> => {
    const { pid } = await partOf(gateway, 'audio');
    return familyOf(pid).filter(({ commandLine }) => commandLine.includes('speech-engine'));
  };
  /** A job in the middle of its work, whose engine is held: it cannot end by itself any more. */
  const underWay = async (): Promise<{ id: string; engine: number }> => {
    const { id } = await createJob(me, LONG, SLOWEST);
    await waitFor(async () => [await getJob(me, id)].find(({ status, progress }) => status === 'processing' && progress > 0));
    const engine = (await engines())[0]?.pid ?? NaN;
    await freeze(engine);
    expect(await getJob(me, id)).toMatchObject({ status: 'processing' });
    return { id, engine };
  };

  it('takes its engine with it, and leaves nothing behind', async () => {
    const { id, engine } = await underWay();
    expect(await act(me, id, 'cancel')).toMatchObject({ status: 200, json: { id, status: 'cancelled' } });
    await waitFor(async () => (await engines()).every(({ pid }) => pid !== engine));
    expect(await getJob(me, id)).toMatchObject({ status: 'cancelled', output_size_bytes: null });
    expectRefusal(await content(me, id).then(asJson), { status: 409, code: 'AUDIO_NOT_READY' });
    await waitFor(async () => (await jobsToldOf(gateway, EVENT_SUBJECTS.speechJobCancelled)).includes(id));
    expect(await jobsToldOf(gateway, EVENT_SUBJECTS.speechJobCompleted)).not.toContain(id);
    expect(await storedSpeech(gateway)).toEqual([]);
  });

  it('makes room for the next one at once', async () => {
    const { id } = await underWay();
    const next = await createJob(me, 'The next one, please.');
    expect(await getJob(me, next.id)).toMatchObject({ status: 'queued' });
    expect((await act(me, id, 'cancel')).status).toBe(200);
    expect(await ended(me, next.id)).toMatchObject({ status: 'completed' });
    expect((await content(me, next.id)).status).toBe(200);
    expect(await getJob(me, id)).toMatchObject({ status: 'cancelled' });
  });
});

function asJson({ status, headers, bytes }: Awaited<ReturnType<typeof content>>) {
  return { status, headers, json: JSON.parse(bytes.toString()) as unknown };
}
