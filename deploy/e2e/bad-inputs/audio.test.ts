import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { content, createJob, ended, getJob, JOBS, listJobs, makeSpeaker, requestJob } from '../harness/audio.ts';
import { ask, said } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { connectAccount } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { formOf, type LocalFile, upload, type Uploader } from '../harness/upload.ts';
import { check, invalid, type Row, UNKNOWN_ID } from './rows.ts';

const SPEECH = '/v1/audio/speech';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const DIARY: LocalFile = { name: 'a.wav', bytes: Buffer.from('Dear diary, this is no recording. '.repeat(50)), type: 'audio/wav' };
const NOT_FOUND = { status: 404, code: 'AUDIO_JOB_NOT_FOUND' };
const NO_AUDIO = { status: 400, code: 'audio_validation_failed' };
const TOO_LARGE = { status: 413, code: 'FILE_TOO_LARGE', param: 'file' };
const LARGEST = 25 * 1_024 * 1_024;
const LONGEST = 10_000;

describe('bad input about audio', () => {
  inBothTopologies((gateway) => {
    let me: Uploader;
    let other: Uploader;
    let done = '';
    let foreign = '';
    let key = '';
    beforeAll(async () => {
      const speaker = await makeSpeaker(gateway);
      me = speaker.me;
      // Without anybody to hear it a recording is not even looked at.
      await connectAccount(gateway, speaker.tenant.workspaceId, 'openai-transcription');
      ({ me: other } = await makeSpeaker(gateway));
      key = `once-${randomUUID()}`;
      const first = await requestJob(me, { input: 'hello', voice: 'slt' }, { 'idempotency-key': key });
      done = (await ended(me, (first.json as { id: string }).id)).id;
      foreign = (await ended(other, (await createJob(other, 'hello')).id)).id;
    });
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
      // What is refused has begun nothing.
      expect((await listJobs(me)).map(({ id }) => id)).toEqual([done]);
    });
    const job =
      (fields: object, headers: Record<string, string> = {}) =>
      () =>
        requestJob(me, { input: 'hello', voice: 'slt', ...fields }, headers);
    const speak = (fields: object) => () =>
      call(gateway(), 'POST', SPEECH, { key: me.key, body: { model: 'tts-1', input: 'hello', voice: 'slt', ...fields } });
    const ofJob =
      (method: string, id: () => string, path = '', headers: Record<string, string> = {}) =>
      () =>
        call(gateway(), method, `${JOBS}/${id()}${path}`, { key: me.key, headers });
    const transcribe = (file: LocalFile) => () => upload(me, TRANSCRIPTIONS, file);
    /** A form with a field before its file, or behind it: clients do either. */
    const withField = (name: string, value: () => Promise<string>, isBehind: boolean) => async () => {
      const { type, body } = formOf(DIARY);
      const boundary = type.split('boundary=')[1] ?? '';
      const field = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${await value()}\r\n`);
      const file = body.subarray(0, body.length - `--${boundary}--\r\n`.length);
      const end = Buffer.from(`--${boundary}--\r\n`);
      const form = Buffer.concat(isBehind ? [file, field, end] : [field, file, end]);
      return call(gateway(), 'POST', TRANSCRIPTIONS, { key: me.key, headers: { 'content-type': type }, body: form });
    };
    const inForm = (row: number | string, what: string, name: string, value: string | (() => Promise<string>), refusal: Row[3]): Row[] =>
      [false, true].map((isBehind) => [
        row,
        `${what}, ${isBehind ? 'behind' : 'before'} the file`,
        withField(name, typeof value === 'string' ? () => Promise.resolve(value) : value, isBehind),
        refusal,
      ]);
    const conversationOfAnother = async () => said(await ask(gateway(), { key: other.key, say: 'hello' })).conversation;

    it.each<Row>([
      [68, 'a text of 10,001 characters', job({ input: 'x'.repeat(LONGEST + 1) }), invalid('input')],
      [68, 'a text of 4,097 characters, at once', speak({ input: 'x'.repeat(4_097) }), invalid('input')],
      [68, 'no text', job({ input: undefined }), invalid('input')],
      [68, 'a text of blanks', job({ input: ' \n\t' }), invalid('input')],
      [68, 'a number for a text', job({ input: 7 }), invalid('input')],
      [69, 'no voice', job({ voice: undefined }), invalid('voice')],
      [69, 'no voice, at once', speak({ voice: undefined }), invalid('voice')],
      [69, 'an empty voice', job({ voice: '' }), invalid('voice')],
      [69, 'a voice that there is not', job({ voice: 'unknown' }), { status: 422, code: 'VOICE_NOT_FOUND' }],
      [69, 'the voice of another provider', job({ voice: 'slt', provider: 'unknown' }), { status: 404, code: 'AUDIO_PROVIDER_NOT_FOUND' }],
      [70, 'a key of 256 characters', job({}, { 'idempotency-key': 'k'.repeat(256) }), invalid('Idempotency-Key')],
      [71, 'a used key and another text', () => job({ input: 'good bye' }, { 'idempotency-key': key })(), invalid('Idempotency-Key')],
      [71, 'a used key and another voice', () => job({ voice: 'rms' }, { 'idempotency-key': key })(), invalid('Idempotency-Key')],
      [72, 'another workspace’s job', ofJob('GET', () => foreign), NOT_FOUND],
      [72, 'its audio', ofJob('GET', () => foreign, '/content'), NOT_FOUND],
      [72, 'its end', ofJob('POST', () => foreign, '/cancel'), NOT_FOUND],
      [72, 'its repetition', ofJob('POST', () => foreign, '/retry'), NOT_FOUND],
      [72, 'a job that there is not', ofJob('GET', () => UNKNOWN_ID), NOT_FOUND],
      [
        73,
        'a range behind the end',
        ofJob('GET', () => done, '/content', { range: 'bytes=9999999-' }),
        { status: 416, code: 'range_not_satisfiable' },
      ],
      [74, 'text named .wav', transcribe(DIARY), NO_AUDIO],
      [74, 'nothing', transcribe({ ...DIARY, bytes: Buffer.alloc(0) }), invalid('file')],
      ['', 'a recording of 25 MB and a byte', transcribe({ ...DIARY, bytes: Buffer.alloc(LARGEST + 1) }), TOO_LARGE],
      [75, 'speech as XML', job({ response_format: 'xml' }), invalid('response_format')],
      [75, 'speech as XML, at once', speak({ response_format: 'xml' }), invalid('response_format')],
      ...['xml', 'diarized_json'].flatMap((format) =>
        inForm(75, `a transcript as ${format}`, 'response_format', format, invalid('response_format')),
      ),
      ...inForm('', 'an unknown conversation', 'conversation_id', UNKNOWN_ID, { status: 404, code: 'CONVERSATION_NOT_FOUND' }),
      ...inForm('', 'another’s conversation', 'conversation_id', conversationOfAnother, {
        status: 403,
        code: 'CONVERSATION_ACCESS_DENIED',
      }),
      ['', 'a speed of 5', speak({ speed: 5 }), invalid('speed')],
      ['', 'audio in events', speak({ stream_format: 'sse' }), { status: 400, code: 'UNSUPPORTED_PARAMETER', param: 'stream_format' }],
      [84, 'a job id that is none', ofJob('GET', () => 'a%00b'), invalid('job_id')],
      ['', 'a status that there is not', () => call(gateway(), 'GET', `${JOBS}?status=lost`, { key: me.key }), invalid('status')],
      [44, 'a limit that is none', () => call(gateway(), 'GET', `${JOBS}?limit=-1`, { key: me.key }), invalid('limit')],
    ])('row %s: %s', check);

    it('row 68: 10,000 characters are not too many, counted as people count them', async () => {
      const { me: speaker } = await makeSpeaker(gateway);
      const { id } = await createJob(speaker, '🎈'.repeat(LONGEST - 1) + '.');
      expect((await call(gateway(), 'POST', `${JOBS}/${id}/cancel`, { key: speaker.key })).status).toBe(200);
    });

    it('row 71: a used key and the same body are the same job', async () => {
      const again = await job({}, { 'idempotency-key': key })();
      expect(again).toMatchObject({ status: 202, json: { id: done } });
      const longest = { 'idempotency-key': 'k'.repeat(255) };
      const { me: speaker } = await makeSpeaker(gateway);
      expect((await requestJob(speaker, { input: 'hello', voice: 'slt' }, longest)).status).toBe(202);
    });

    it('row 73: a refused range names the size, and the next one is served', async () => {
      const { output_size_bytes: size } = await getJob(me, done);
      const refused = await content(me, done, { range: 'bytes=9999999-' });
      expect(refused.headers.get('content-range')).toBe(`bytes */${size}`);
      expect((await content(me, done, { range: 'bytes=0-3' })).bytes.toString()).toBe('RIFF');
    });
  });
});
