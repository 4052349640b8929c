import { UNKNOWN_ID } from '../../bad-inputs/rows.ts';
import { act, createJob, ended, JOBS } from '../../harness/audio.ts';
import { query } from '../../harness/database.ts';
import { inATenant, type ErrorContext } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

const SENTENCE = 'The door is blue. ';
/** What a workspace may have spoken in a day, in the gateways of these rows. */
export const DAILY_CHARACTERS = 3_000;
const LONG = SENTENCE.repeat(120);
/** An address of its own, so that no other test is throttled. */
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7' };

const speaking = (body: Record<string, unknown>) =>
  inATenant(({ send }) => send('POST', JOBS, { body: { input: 'hello', voice: 'slt', ...body } }));
/** Asks about a job that has been spoken. */
const spoken = (ask: (context: ErrorContext, id: string) => ReturnType<ErrorContext['send']>): Provoke =>
  inATenant(async (context) => {
    const { id } = await ended(context, (await createJob(context, SENTENCE)).id);
    return ask(context, id);
  });

const notReady: Provoke = inATenant(async (context) => {
  const { id } = await createJob(context, LONG);
  try {
    return await context.send('GET', `${JOBS}/${id}/content`);
  } finally {
    await act(context, id, 'cancel');
  }
});

const expired: Provoke = spoken(async ({ gateway, send }, id) => {
  await query(gateway, `UPDATE audio.speech_jobs SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
  return send('GET', `${JOBS}/${id}/content`);
});

const throttled: Provoke = inATenant(async ({ send }) => {
  let answer;
  do answer = await send('POST', '/v1/audio/speech', { body: {}, headers: ELSEWHERE });
  while (answer.status === 422);
  return answer;
});

/** Errors of speech jobs and their throttle. */
export const AUDIO: readonly Row[] = [
  ['AUDIO_JOB_NOT_FOUND', 'a job that there is not', inATenant(({ send }) => send('GET', `${JOBS}/${UNKNOWN_ID}`))],
  ['AUDIO_PROVIDER_NOT_FOUND', 'a provider that there is not', speaking({ provider: 'unknown' }), { param: 'provider' }],
  ['VOICE_NOT_FOUND', 'a voice that there is not', speaking({ voice: 'unknown' }), { param: 'voice' }],
  ['AUDIO_NOT_READY', 'the audio of a job that waits', notReady],
  ['AUDIO_EXPIRED', 'the audio of a job whose time is over', expired],
  ['AUDIO_JOB_NOT_CANCELLABLE', 'a job that has ended is to be stopped', spoken((context, id) => act(context, id, 'cancel'))],
  [
    'AUDIO_QUOTA_EXCEEDED',
    'more text than the workspace may have spoken in a day',
    inATenant(async (context) => {
      await createJob(context, LONG);
      return context.send('POST', JOBS, { body: { input: LONG, voice: 'slt' } });
    }),
    { waits: true },
  ],
  [
    'RATE_LIMIT_EXCEEDED',
    'more requests than an address may make',
    throttled,
    { waits: true, headers: { 'x-ratelimit-limit': /^\d+$/, 'x-ratelimit-remaining': /^0$/, 'x-ratelimit-reset': /^\d+$/ } },
  ],
];
