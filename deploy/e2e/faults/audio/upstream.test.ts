import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { act, content, createJob, ended, getJob, makeConnectedSpeaker, readWav } from '../../harness/audio.ts';
import { expectRefusal, type Refusal } from '../../harness/expectations.ts';
import { type Answer, call, open } from '../../harness/http.ts';
import { type FaultOrder } from '../../harness/sandbox.ts';
import { type Account } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { type LocalFile, upload, type Uploader } from '../../harness/upload.ts';

const TEXT = 'The blue door is open.';
/** A voice of the connected server's; so often it is asked before it counts as failed. */
const ORDER = { model: 'tts-1', input: TEXT, voice: 'alloy', response_format: 'wav' };
const ATTEMPTS = 3;
const TRANSCRIPTION_TIMEOUT = '8s';

type Row = [order: FaultOrder, refusal: Refusal];

/** A fault of a speech server, and the error that the client of synchronous speech receives. */
const SPEECH: readonly Row[] = [
  [{ fault: 'rate_limited' }, { status: 429, code: 'PROVIDER_RATE_LIMITED' }],
  [
    { fault: 'server_error', count: ATTEMPTS },
    { status: 503, code: 'PROVIDER_UNAVAILABLE' },
  ],
  [
    { fault: 'bad_gateway_html', count: ATTEMPTS },
    { status: 503, code: 'PROVIDER_UNAVAILABLE' },
  ],
  [
    { fault: 'cut', count: ATTEMPTS },
    { status: 503, code: 'PROVIDER_UNAVAILABLE' },
  ],
  [
    { fault: 'garbage', count: ATTEMPTS },
    { status: 502, code: 'PROVIDER_UNAVAILABLE' },
  ],
  [
    { fault: 'wrong_type', count: ATTEMPTS },
    { status: 502, code: 'PROVIDER_UNAVAILABLE' },
  ],
  [{ fault: 'session_expired' }, { status: 403, code: 'ACCOUNT_REAUTH_REQUIRED' }],
];

/** The same of a transcription server. */
const TRANSCRIPTION: readonly Row[] = [
  [{ fault: 'rate_limited' }, { status: 429, code: 'PROVIDER_RATE_LIMITED' }],
  [{ fault: 'server_error' }, { status: 503, code: 'TRANSCRIPTION_FAILED' }],
  [{ fault: 'bad_gateway_html' }, { status: 503, code: 'TRANSCRIPTION_FAILED' }],
  [{ fault: 'garbage' }, { status: 503, code: 'TRANSCRIPTION_FAILED' }],
  [{ fault: 'wrong_type' }, { status: 503, code: 'TRANSCRIPTION_FAILED' }],
  [{ fault: 'cut' }, { status: 503, code: 'transcription_provider_unavailable' }],
  [{ fault: 'session_expired' }, { status: 503, code: 'transcription_provider_unavailable' }],
  [{ fault: 'silent' }, { status: 504, code: 'TRANSCRIPTION_TIMEOUT' }],
];

describe('servers of speech and transcription that fail', () => {
  inBothTopologies(
    (gateway) => {
      let me: Uploader;
      let speech: Account;
      let transcription: Account;
      beforeEach(async () => {
        ({ me, speech, transcription } = await makeConnectedSpeaker(gateway));
      });
      const ask = () => call(gateway(), 'POST', '/v1/audio/speech', { key: me.key, body: ORDER });
      const speak = async (): Promise<LocalFile & { bytes: Buffer }> => {
        const response = await open(gateway(), 'POST', '/v1/audio/speech', { key: me.key, body: ORDER });
        expect(response.status).toBe(200);
        return { name: 'speech.wav', bytes: Buffer.from(await response.arrayBuffer()), type: 'audio/wav' };
      };
      const transcribe = (file: LocalFile) => upload(me, '/v1/audio/transcriptions', file);

      it('serve where nothing fails: speech comes from the one, and the other hears it', async () => {
        expect(await transcribe(await speak())).toMatchObject({ status: 200, json: { text: TEXT } });
        expect(await speech.report()).toMatchObject({ speeches: 1 });
        expect(await transcription.report()).toMatchObject({ transcriptions: 1 });
      });

      it.each(SPEECH)('speech: %j becomes an error of the catalogue', async (order, refusal) => {
        await speech.order({ on: 'speech', ...order });
        const answer = await ask();
        expectRefusal(answer, refusal);
        expectOurWords(answer);
        if (refusal.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      });

      it('speech: one failure is retried, and the client sees no error', async () => {
        await speech.order({ on: 'speech', fault: 'server_error', count: ATTEMPTS - 1 });
        expect(readWav((await speak()).bytes).seconds).toBeGreaterThan(0);
        await speech.order({ on: 'speech', fault: 'slow_first_byte', delay_ms: 500 });
        expect(readWav((await speak()).bytes).seconds).toBeGreaterThan(0);
      });

      it('speech: who leaves a silent server leaves nothing open there', async () => {
        await speech.order({ on: 'speech', fault: 'silent', count: -1 });
        const leave = new AbortController();
        const left = open(gateway(), 'POST', '/v1/audio/speech', { key: me.key, body: ORDER, signal: leave.signal });
        await waitFor(async () => (await speech.report()).open_streams === 1);
        leave.abort();
        await expect(left).rejects.toThrow();
        await waitFor(async () => (await speech.report()).open_streams === 0);
      });

      it('jobs: one outlasts a server that limits, and one that is cancelled leaves a silent server at once', async () => {
        await speech.order({ on: 'speech', fault: 'rate_limited', delay_ms: 1_000 });
        const { id, provider } = await createJob(me, TEXT, { voice: 'alloy' });
        expect(provider).toBe('openai-speech');
        expect(await ended(me, id)).toMatchObject({ status: 'completed' });
        expect((await content(me, id)).status).toBe(200);

        await speech.order({ on: 'speech', fault: 'silent', count: -1 });
        const { id: other } = await createJob(me, TEXT, { voice: 'alloy' });
        await waitFor(async () => (await speech.report()).open_streams === 1);
        expect(await act(me, other, 'cancel')).toMatchObject({ status: 200, json: { status: 'cancelled' } });
        await waitFor(async () => (await speech.report()).open_streams === 0);
        expect(await getJob(me, other)).toMatchObject({ status: 'cancelled' });
      });

      it('jobs: one whose server refuses us fails with its code, and can be repeated', async () => {
        await speech.order({ on: 'speech', fault: 'session_expired', count: -1 });
        const { id } = await createJob(me, TEXT, { voice: 'alloy' });
        expect(await ended(me, id)).toMatchObject({ status: 'failed', error: { code: 'ACCOUNT_REAUTH_REQUIRED' } });
        expect(await act(me, id, 'retry')).toMatchObject({ status: 202, json: { retry_of: id } });
      });

      it.each(TRANSCRIPTION)('transcription: %j becomes an error of the catalogue', async (order, refusal) => {
        const file = await speak();
        await transcription.order({ on: 'transcription', ...order });
        const answer = await transcribe(file);
        expectRefusal(answer, refusal);
        expectOurWords(answer);
        if (refusal.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        // Whatever became of it, nothing is left open there.
        await waitFor(async () => (await transcription.report()).open_streams === 0);
      });

      it('transcription: a slow server is waited for', async () => {
        const file = await speak();
        await transcription.order({ on: 'transcription', fault: 'slow_first_byte', delay_ms: 500 });
        expect(await transcribe(file)).toMatchObject({ status: 200, json: { text: TEXT } });
      });
    },
    { env: { PARLEY_TRANSCRIPTION_TIMEOUT: TRANSCRIPTION_TIMEOUT } },
  );
});

/** Nothing of what a server said of its failure is relayed. */
function expectOurWords({ text }: Answer): void {
  expect(text).not.toMatch(/sign in|html|internal_error|sandbox/i);
}
