import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeSpeaker } from '../harness/audio.ts';
import { ask, said, stream } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';

const ID = '0190a000-0000-7000-8000-0000000000aa';
const CONVERSATION = `/v1/conversations/${ID}`;
const PROJECT = `/v1/projects/${ID}`;

/** Requests that an address may make in an hour: other ones for each class, so that a refusal tells which class it is of. */
const ALLOWED = { rate_limit: 1, upload_rate_limit: 2, tts_rate_limit: 3 } as const;
type ThrottleClass = keyof typeof ALLOWED;

/** Spec §8.2. */
const THROTTLED: [method: string, path: string, throttle: ThrottleClass][] = [
  ['POST', '/v1/chat/completions', 'rate_limit'],
  ['POST', `${CONVERSATION}/attachments`, 'rate_limit'],
  ['PATCH', CONVERSATION, 'rate_limit'],
  ['DELETE', CONVERSATION, 'rate_limit'],
  ...['sync', 'archive', 'restore', 'share', 'transfer'].map((verb): [string, string, ThrottleClass] => [
    'POST',
    `${CONVERSATION}/${verb}`,
    'rate_limit',
  ]),
  ['PATCH', `${CONVERSATION}/participants/${ID}`, 'rate_limit'],
  ['DELETE', `${CONVERSATION}/participants/${ID}`, 'rate_limit'],
  ['POST', `/v1/assets/${ID}/retry`, 'rate_limit'],
  ['POST', '/v1/projects', 'rate_limit'],
  ['PATCH', PROJECT, 'rate_limit'],
  ['DELETE', PROJECT, 'rate_limit'],
  ['DELETE', `${PROJECT}/files/${ID}`, 'rate_limit'],
  ['POST', '/v1/audio/transcriptions', 'rate_limit'],
  ['POST', `${PROJECT}/files`, 'upload_rate_limit'],
  ['POST', '/v1/audio/generations', 'tts_rate_limit'],
  ['POST', `/v1/audio/generations/${ID}/retry`, 'tts_rate_limit'],
  ['POST', '/v1/audio/speech', 'tts_rate_limit'],
];

/** Operations that no throttle counts, one of every kind. */
const UNTHROTTLED: [method: string, path: string][] = [
  ['POST', '/v1/conversations'],
  ['POST', `/v1/audio/generations/${ID}/cancel`],
  ['POST', '/v1/actions/reconcile/runs'],
  ['POST', `/v1/actions/reconcile/runs/${ID}/cancel`],
  ['GET', '/v1/models'],
  ['GET', '/v1/capabilities'],
  ['GET', '/v1/connections'],
  ['GET', '/v1/usage'],
  ['GET', '/v1/conversations'],
  ['GET', CONVERSATION],
  ['GET', `${CONVERSATION}/messages`],
  ['GET', `/v1/messages/${ID}`],
  ['GET', `/v1/assets/${ID}/download`],
  ['GET', PROJECT],
  ['GET', `${PROJECT}/files`],
  ['GET', `/v1/audio/generations/${ID}/content`],
  ['GET', '/v1/audio/providers'],
];

const env = {
  PARLEY_THROTTLE_RATE_LIMIT: `${ALLOWED.rate_limit} per 1 hour`,
  PARLEY_THROTTLE_UPLOAD_RATE_LIMIT: `${ALLOWED.upload_rate_limit} per 1 hour`,
  PARLEY_THROTTLE_TTS_RATE_LIMIT: `${ALLOWED.tts_rate_limit} per 1 hour`,
  PARLEY_TRUSTED_PROXIES: '127.0.0.1',
};

describe('the throttle of operations', () => {
  inBothTopologies(
    (gateway) => {
      let me: Uploader;
      let address = 0;
      beforeAll(async () => {
        ({ me } = await makeSpeaker(gateway));
      });
      /** Headers of a client that has asked for nothing yet. */
      const stranger = () => ({ 'x-forwarded-for': `198.51.100.${++address}` });
      const body = (method: string) => (method === 'GET' || method === 'DELETE' ? {} : { body: {} });

      it.each(THROTTLED)('counts %s %s as %s', async (method, path, throttle) => {
        const limit = ALLOWED[throttle];
        const request = { key: me.key, headers: stranger(), ...body(method) };
        for (let left = limit - 1; left >= 0; left--) {
          const { status, headers } = await call(gateway(), method, path, request);
          expect(status).not.toBe(429);
          expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([String(limit), String(left)]);
        }
        const { status, headers, json } = await call(gateway(), method, path, request);
        const text = `Rate limit exceeded: ${limit} per 1 hour`;
        expect(status).toBe(429);
        // A transcription has a code of its own for it, which a string could not carry.
        const refusal = path.endsWith('/transcriptions') ? { code: 'transcription_rate_limit', message: text, retryable: true } : text;
        expect(json).toEqual({ error: typeof refusal === 'string' ? refusal : expect.objectContaining(refusal) });
        expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([String(limit), '0']);
        expect(headers.get('x-ratelimit-reset')).toBe(headers.get('retry-after'));
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
      });

      it.each(UNTHROTTLED)('does not count %s %s', async (method, path) => {
        const request = { key: me.key, headers: stranger(), ...body(method) };
        for (let asked = 0; asked < 5; asked++) {
          const { status, headers } = await call(gateway(), method, path, request);
          expect(status).not.toBe(429);
          expect(headers.get('x-ratelimit-limit')).toBeNull();
        }
      });

      it('counts whatever an address asks of one class together, and lets others pass', async () => {
        const headers = stranger();
        expect((await call(gateway(), 'POST', '/v1/projects', { key: me.key, headers, body: {} })).status).toBe(422);
        expect((await ask(gateway(), { key: me.key, headers })).status).toBe(429);
        said(await ask(gateway(), { key: me.key, headers: stranger() }));
        expect((await call(gateway(), 'POST', '/v1/audio/speech', { key: me.key, headers, body: {} })).status).toBe(422);
      });

      it('tells a streamed answer how the client stands as well', async () => {
        const answer = await stream(gateway(), { key: me.key, headers: stranger() });
        expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
        expect(await answer.text()).toMatch(/data: \[DONE\]\n\n$/);
      });
    },
    { env },
  );
});
