import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { act, content, createJob, ended, getJob, JOBS, listJobs, makeSpeaker, readWav, requestJob } from '../harness/audio.ts';
import { query } from '../harness/database.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';

const SENTENCE = 'The quick brown fox jumps over the lazy dog. ';
const LONG = SENTENCE.repeat(200);

describe('speech jobs', () => {
  inBothTopologies((gateway) => {
    let tenant: Tenant;
    let me: Uploader;
    beforeEach(async () => {
      ({ tenant, me } = await makeSpeaker(gateway));
    });

    it('go from the queue to audio that is what it says it is', async () => {
      const created = await createJob(me, SENTENCE);
      expect(created).toMatchObject({ output_mime_type: null, error: null, content_url: `${JOBS}/${created.id}/content` });
      const done = await ended(me, created.id);
      expect(done).toMatchObject({ status: 'completed', progress: 100, output_mime_type: 'audio/wav' });
      const { status, headers, bytes } = await content(me, created.id);
      expect([status, headers.get('content-type')]).toEqual([200, 'audio/wav']);
      expect(bytes).toHaveLength(done.output_size_bytes ?? 0);
      expect(Math.abs(readWav(bytes).seconds * 1_000 - (done.duration_ms ?? 0))).toBeLessThan(50);
    });

    it('give their audio in parts, by HEAD, and not again to who has it', async () => {
      const { id } = await ended(me, (await createJob(me, SENTENCE)).id);
      const whole = await content(me, id);
      const size = whole.bytes.length;
      const part = await content(me, id, { range: 'bytes=4-11' });
      expect(part).toMatchObject({ status: 206, bytes: whole.bytes.subarray(4, 12) });
      expect(part.headers.get('content-range')).toBe(`bytes 4-11/${size}`);
      expect((await content(me, id, { range: 'bytes=-5' })).bytes).toEqual(whole.bytes.subarray(-5));
      expect((await content(me, id, { range: `bytes=${size}-` })).status).toBe(416);
      expect((await content(me, id, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);
      const head = await content(me, id, {}, 'HEAD');
      expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, String(size), 0]);
    });

    it('are one for 50 requests with the same key at once, and refused for another body', async () => {
      const headers = { 'idempotency-key': `once-${tenant.workspaceId}` };
      const body = { input: SENTENCE, voice: 'slt' };
      const answers = await Promise.all(Array.from({ length: 50 }, () => requestJob(me, body, headers)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      expect(new Set(answers.map(({ json }) => (json as { id: string }).id)).size).toBe(1);
      expect(await listJobs(me)).toHaveLength(1);
      const other = await requestJob(me, { ...body, input: 'something else' }, headers);
      expectRefusal(other, { status: 422, code: 'VALIDATION_ERROR', param: 'Idempotency-Key' });
    });

    it('are cancelled while they wait or work, and not once they have ended', async () => {
      const jobs = await Promise.all(Array.from({ length: 6 }, () => createJob(me, LONG)));
      for (const { id } of jobs) {
        const answer = await act(me, id, 'cancel');
        if (answer.status === 200) expect(answer.json).toMatchObject({ id, status: 'cancelled' });
        else expect(answer).toMatchObject({ status: 409, json: { error: { code: 'AUDIO_JOB_NOT_CANCELLABLE' } } });
      }
      const after = await Promise.all(jobs.map(({ id }) => ended(me, id)));
      expect(after.some(({ status }) => status === 'cancelled')).toBe(true);
      const [cancelled] = after.filter(({ status }) => status === 'cancelled');
      expectRefusal(await act(me, cancelled?.id ?? '', 'cancel'), { status: 409, code: 'AUDIO_JOB_NOT_CANCELLABLE' });
      expect((await content(me, cancelled?.id ?? '')).status).toBe(409);
      expect((await act(me, cancelled?.id ?? '', 'retry')).status).toBe(422);
    });

    it('that failed are repeated as new ones', async () => {
      const { id } = await ended(me, (await createJob(me, SENTENCE)).id);
      await query(gateway(), `UPDATE audio.speech_jobs SET status = 'failed', error_condition = 'PROVIDER_TIMEOUT' WHERE id = '${id}'`);
      expect(await getJob(me, id)).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_TIMEOUT' } });
      const answer = await act(me, id, 'retry');
      expect(answer).toMatchObject({ status: 202, json: { retry_of: id, voice: 'slt' } });
      const again = (answer.json as { id: string }).id;
      expect(again).not.toBe(id);
      expect((await ended(me, again)).status).toBe('completed');
      expect((await getJob(me, id)).status).toBe('failed');
    });

    it('are listed newest first, by status and in pages', async () => {
      const made: string[] = [];
      for (let n = 0; n < 3; n++) made.push((await createJob(me, SENTENCE)).id);
      for (const id of made) await ended(me, id);
      expect((await listJobs(me)).map(({ id }) => id)).toEqual(made.toReversed());
      expect((await listJobs(me, 'status=completed&limit=1&offset=1')).map(({ id }) => id)).toEqual([made[1]]);
      expect(await listJobs(me, 'status=failed')).toEqual([]);
      const { headers } = await call(gateway(), 'GET', `${JOBS}?limit=1`, { key: me.key });
      expect(headers.get('x-total-count')).toBe('3');
    });

    it('tell usage of themselves', async () => {
      await ended(me, (await createJob(me, SENTENCE)).id);
      await requestJob(me, {});
      const usage = async () => (await call(gateway(), 'GET', '/v1/usage?period=24h', { key: me.key })).json;
      await waitFor(async () => {
        const { successful, errors } = (await usage()) as { successful: number; errors: number };
        return successful === 1 && errors === 1;
      });
    });
  });
});
