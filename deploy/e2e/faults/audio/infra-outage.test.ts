import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import {
  act,
  content,
  createJob,
  ended,
  getJob,
  listJobs,
  makeSpeaker,
  requestJob,
  type ShownJob,
  storedSpeech,
} from '../../harness/audio.ts';
import { query } from '../../harness/database.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { onOwnInfra } from '../../harness/on-own-infra.ts';
import { type Uploader } from '../../harness/upload.ts';
import { usageOf } from '../../harness/usage.ts';

const LONG = 'A door that was open yesterday is closed today, and nobody remembers it. '.repeat(40);
const SLOWEST = { provider: 'flite', provider_options: { speed: 0.25 } };
const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' };

describe('speech jobs while the database or the broker is away', () => {
  onOwnInfra((gateway, infra) => {
    let me: Uploader;
    beforeEach(async () => {
      ({ me } = await makeSpeaker(gateway));
    });
    const underWay = async (): Promise<ShownJob> => {
      const { id } = await createJob(me, LONG, SLOWEST);
      const isWorkedOn = ({ status, progress }: ShownJob) => status === 'processing' && progress > 0;
      return waitFor(async () => [await getJob(me, id)].find(isWorkedOn), { everyMs: 20 });
    };

    it('without a database nothing is accepted, and what was accepted comes to its end once it is back', async () => {
      const before = (await storedSpeech(gateway())).length;
      const { id } = await underWay();
      await infra().database.stop();
      const refused = await requestJob(me, { input: 'hello', voice: 'slt' });
      expectRefusal(refused, UNAVAILABLE);
      expectRefusal(await act(me, id, 'cancel'), UNAVAILABLE);
      await infra().database.start();
      await waitFor(async () => (await call(gateway(), 'GET', '/readyz')).status === 200);

      expect(await ended(me, id)).toMatchObject({ status: 'completed', error: null });
      expect((await content(me, id)).status).toBe(200);
      // Nothing has come of what was refused, and what was accepted has been kept once.
      expect((await listJobs(me)).map((job) => job.id)).toEqual([id]);
      await waitFor(async () => (await storedSpeech(gateway())).length === before + 1);
      await waitFor(async () => (await usageOf(gateway(), me.key)).successful === 1);
      expect(await ended(me, (await createJob(me, 'hello')).id)).toMatchObject({ status: 'completed' });
    });

    it('without a broker jobs are spoken and cancelled as ever, and usage hears of it later', async () => {
      await infra().broker.stop();
      try {
        const { id } = await createJob(me, 'The quick brown fox jumps over the lazy dog.');
        expect(await ended(me, id)).toMatchObject({ status: 'completed' });
        expect((await content(me, id)).status).toBe(200);
        const { id: other } = await underWay();
        expect(await act(me, other, 'cancel')).toMatchObject({ status: 200, json: { status: 'cancelled' } });
        const engines = async () =>
          gateway()
            .family()
            .filter(({ commandLine }) => commandLine.includes('speech-engine'));
        await waitFor(async () => (await engines()).length <= 1);
        const [waiting] = await query<{ count: number }>(gateway(), 'SELECT count(*)::int AS count FROM audio.outbox');
        expect(waiting?.count).toBeGreaterThan(0);
      } finally {
        await infra().broker.start();
      }
      await waitFor(async () => (await usageOf(gateway(), me.key)).total_requests === 2, { everyMs: 100 });
      expect(await usageOf(gateway(), me.key)).toMatchObject({ successful: 2, errors: 0 });
      await waitFor(async () => (await query(gateway(), 'SELECT 1 FROM audio.outbox')).length === 0);
    });
  });
});
