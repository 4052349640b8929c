import { beforeAll, describe, expect, it } from '@jest/globals';
import { UNKNOWN_ID } from '../bad-inputs/rows.ts';
import { act, content, createJob, ended, JOBS, listJobs, makeSpeaker } from '../harness/audio.ts';
import { describedBy, nameOf, operationsOf } from '../harness/described.ts';
import { expectRefusal, type Refusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';

interface Operation {
  method: string;
  template: string;
  /** Names a job. */
  ofJob: boolean;
}

const ONE = `${JOBS}/{job_id}`;
const of = (method: string, template: string): Operation => ({ method, template, ofJob: template.startsWith(ONE) });

/** Every operation on audio. */
const OPERATIONS: readonly Operation[] = [
  of('POST', '/v1/audio/transcriptions'),
  of('POST', JOBS),
  of('GET', JOBS),
  of('GET', ONE),
  of('GET', `${ONE}/content`),
  of('POST', `${ONE}/cancel`),
  of('POST', `${ONE}/retry`),
  of('POST', '/v1/audio/speech'),
  of('GET', '/v1/audio/providers'),
  of('GET', '/v1/audio/providers/{provider}/voices'),
  of('GET', '/v1/audio/providers/{provider}/capabilities'),
];
const NOT_FOUND: Refusal = { status: 404, code: 'AUDIO_JOB_NOT_FOUND' };

describe('audio is closed to others', () => {
  inBothTopologies((gateway) => {
    let tenant: Tenant;
    let me: Uploader;
    let other: Uploader;
    let id: string;
    beforeAll(async () => {
      ({ tenant, me } = await makeSpeaker(gateway));
      ({ me: other } = await makeSpeaker(gateway));
      ({ id } = await ended(me, (await createJob(me, 'a secret door')).id));
    });
    const perform = ({ method, template }: Operation, key: string, job = id) =>
      call(gateway(), method, template.replace('{job_id}', job).replace('{provider}', 'flite'), { key });

    it('covers every operation that there is', async () => {
      expect(OPERATIONS.map(nameOf).sort()).toEqual(operationsOf(await describedBy(gateway()), /^\/v1\/audio\//));
    });

    it.each(OPERATIONS)('row 12: $method $template needs the scope', async (operation) => {
      expectRefusal(await perform(operation, tenant.apiKey), { status: 403, code: 'MISSING_SCOPE', param: 'audio' });
    });

    it.each(OPERATIONS.filter(({ ofJob }) => ofJob))('row 72: $method $template finds no job of another workspace', async (operation) => {
      expectRefusal(await perform(operation, other.key), NOT_FOUND);
      expectRefusal(await perform(operation, me.key, UNKNOWN_ID), NOT_FOUND);
      expect((await listJobs(me)).map(({ status }) => status)).toEqual(['completed']);
    });

    it('shows others none in the list, and another key of the workspace all', async () => {
      expect(await listJobs(other)).toEqual([]);
      const { key } = await new Operator(gateway).createKey({
        workspace_id: tenant.workspaceId,
        user_id: tenant.userId,
        scopes: ['audio'],
      });
      const sibling = { gateway: gateway(), key };
      expect((await listJobs(sibling)).map((job) => job.id)).toEqual([id]);
      expect((await content(sibling, id)).status).toBe(200);
      expectRefusal(await act(sibling, id, 'cancel'), { status: 409, code: 'AUDIO_JOB_NOT_CANCELLABLE' });
    });

    it('keeps the same Idempotency-Key of two workspaces apart', async () => {
      const headers = { 'idempotency-key': 'the-same' };
      const body = (input: string) => ({ input, voice: 'slt' });
      const mine = await call(gateway(), 'POST', JOBS, { key: me.key, headers, body: body('mine') });
      const theirs = await call(gateway(), 'POST', JOBS, { key: other.key, headers, body: body('theirs') });
      expect([mine.status, theirs.status]).toEqual([202, 202]);
      expect((mine.json as { id: string }).id).not.toBe((theirs.json as { id: string }).id);
    });
  });
});
