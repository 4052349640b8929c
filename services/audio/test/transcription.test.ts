import { afterEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tone, wav } from './make-recordings.ts';
import { frames, type TestFixture, newCaller, openFixture } from './transcription-fixture.ts';

const SECRET_WORDS = 'zanzibar quokka marmalade';
const RECORDING = wav(tone(1));

/** An upload whose bytes do not come. */
async function* headAlone() {
  for await (const frame of frames(Buffer.alloc(0))) {
    yield frame;
    await new Promise(() => undefined);
  }
}

describe('transcription', () => {
  let fixture: TestFixture;
  afterEach(() => fixture.close());

  it('returns the transcript, and stores only metrics', async () => {
    fixture = await openFixture(`echo '${SECRET_WORDS}'`);
    const caller = newCaller();
    const conversationId = uuidv7();
    const answer = await fixture.stub.transcribe(frames(RECORDING, { language: 'en', conversationId }), { caller, deadlineMs: 90_000 });
    expect(answer).toMatchObject({ text: SECRET_WORDS, language: 'en', durationSeconds: 1, model: 'pocketsphinx-en-us' });
    expect(await fixture.scratch()).toEqual([]);
    expect(await fixture.row(caller)).toMatchObject({
      ...{ id: answer.jobId, key_id: caller.keyId, provider: 'pocketsphinx', mime_type: 'audio/wav', size_bytes: String(RECORDING.length) },
      ...{ language: 'en', duration_ms: 1_000, status: 'completed', error_condition: null, conversation_id: conversationId },
    });
    const { rows: tables } = await fixture.sql.query(`SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'audio'`);
    for (const { relname } of tables) {
      // Bytes are shown as hexadecimal digits: words in them would be seen as those.
      const { rows } = await fixture.sql.query(`SELECT row_to_json(t)::text AS text FROM "${relname}" t`);
      const dump = JSON.stringify(rows);
      for (const word of SECRET_WORDS.split(' ')) {
        expect(dump).not.toContain(word);
        expect(dump).not.toContain(Buffer.from(word).toString('hex'));
      }
    }
    for (const word of SECRET_WORDS.split(' ')) {
      expect(fixture.lines.join('')).not.toContain(word);
      for (const file of await readdir(fixture.folder, { recursive: true, withFileTypes: true })) {
        if (!file.isFile() || file.parentPath.startsWith(fixture.engine)) continue;
        expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain(word);
      }
    }
  });

  it('returns the times of the engine, or those of the whole recording, on demand', async () => {
    fixture = await openFixture(`echo hello; case "$*" in *'-time yes'*) echo 'hello 0.130 0.390 0.9';; esac`);
    const wanted = () => fixture.stub.transcribe(frames(RECORDING, { wantsTimes: true }), { caller: newCaller(), deadlineMs: 90_000 });
    const hello = { text: 'hello', startSeconds: 0.13, endSeconds: 0.39 };
    expect(await wanted()).toMatchObject({ text: 'hello', times: { segments: [hello], words: [hello] } });
    const plain = await fixture.stub.transcribe(frames(RECORDING), { caller: newCaller(), deadlineMs: 90_000 });
    expect(plain.times).toBeUndefined();
    await fixture.close();
    fixture = await openFixture('echo hello');
    expect((await wanted()).times).toEqual({ segments: [{ text: 'hello', startSeconds: 0, endSeconds: 1 }], words: [] });
  });

  it('reads form fields after the file, and validates them alike', async () => {
    fixture = await openFixture('echo hello');
    const caller = newCaller();
    const conversationId = uuidv7();
    const later = (language: string) =>
      (async function* () {
        yield* frames(RECORDING);
        const about = { fileName: 'x.wav', declaredType: 'audio/wav', wantsTimes: false };
        yield { frame: { $case: 'head' as const, value: { ...about, language, conversationId } } };
      })();
    await fixture.stub.transcribe(later('EN'), { caller, deadlineMs: 90_000 });
    expect(await fixture.row(caller)).toMatchObject({ status: 'completed', conversation_id: conversationId, language: 'en' });
    for (const language of ['de', 'English']) {
      const refused = fixture.stub.transcribe(later(language), { caller: newCaller(), deadlineMs: 90_000 });
      await expect(refused).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'language' });
    }
  });

  it.each([
    ['text called wav', Buffer.from('this is no recording'), {}, 'AUDIO_VALIDATION_FAILED', 'file'],
    ['an empty file', Buffer.alloc(0), {}, 'VALIDATION_ERROR', 'file'],
    ['a language that the engine does not speak', RECORDING, { language: 'de' }, 'VALIDATION_ERROR', 'language'],
    ['a language that is none', RECORDING, { language: 'English' }, 'VALIDATION_ERROR', 'language'],
    ['a file that is too large', Buffer.alloc(200_000), {}, 'FILE_TOO_LARGE', 'file'],
  ])('refuses %s, and leaves nothing', async (_name, bytes, head, condition, param) => {
    fixture = await openFixture('echo x', { maxBytes: 100_000 });
    await expect(fixture.stub.transcribe(frames(bytes, head), { caller: newCaller(), deadlineMs: 90_000 })).rejects.toMatchObject({
      condition,
      param,
    });
    expect(await fixture.scratch()).toEqual([]);
  });

  it('records failures with their reason, without the transcript', async () => {
    fixture = await openFixture(`echo '${SECRET_WORDS}'; exit 1`);
    const caller = newCaller();
    await expect(fixture.stub.transcribe(frames(RECORDING), { caller, deadlineMs: 90_000 })).rejects.toMatchObject({
      condition: 'TRANSCRIPTION_FAILED',
    });
    expect(await fixture.row(caller)).toMatchObject({ status: 'failed', error_condition: 'TRANSCRIPTION_FAILED', duration_ms: 1_000 });
    expect(await fixture.scratch()).toEqual([]);
    expect(fixture.lines.join('')).not.toContain('zanzibar');
  });

  it('ends an engine that is too slow', async () => {
    fixture = await openFixture('while :; do :; done', { timeoutMs: 3_000 });
    const caller = newCaller();
    await expect(fixture.stub.transcribe(frames(RECORDING), { caller, deadlineMs: 90_000 })).rejects.toMatchObject({
      condition: 'TRANSCRIPTION_TIMEOUT',
    });
    expect(await fixture.row(caller)).toMatchObject({ status: 'failed', error_condition: 'TRANSCRIPTION_TIMEOUT' });
    expect(await fixture.scratch()).toEqual([]);
  });

  it('ends the engine and forgets the recording when the client leaves', async () => {
    fixture = await openFixture('echo $$ > "${0%/*}/pid"; while :; do :; done');
    const abort = new AbortController();
    const answer = fixture.stub.transcribe(frames(RECORDING), { caller: newCaller(), deadlineMs: 90_000, signal: abort.signal });
    answer.catch(() => undefined);
    const pid = await waitFor(async () => Number(await readFile(join(fixture.engine, 'usr/bin/pid'), 'utf8')));
    expect(await fixture.scratch()).toEqual(expect.arrayContaining(['recording', 'samples.raw']));
    abort.abort();
    await expect(answer).rejects.toMatchObject({ condition: 'CANCELLED' });
    await waitFor(async () => (await fixture.scratch()).length === 0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('lets the others wait, and turns away those who are too many', async () => {
    fixture = await openFixture('while [ ! -e "${0%/*}/go" ]; do :; done; echo done', {
      concurrency: 1,
      workspaceConcurrency: 1,
      maxAdmitted: 2,
    });
    const answers = [newCaller(), newCaller()].map((caller) => fixture.stub.transcribe(frames(RECORDING), { caller, deadlineMs: 90_000 }));
    await waitFor(async () => (await fixture.scratch()).filter((name) => name === 'recording').length === 2);
    await expect(fixture.stub.transcribe(frames(RECORDING), { caller: newCaller(), deadlineMs: 90_000 })).rejects.toMatchObject({
      condition: 'TRANSCRIPTION_RATE_LIMIT',
    });
    await writeFile(join(fixture.engine, 'usr/bin/go'), '');
    for (const answer of answers) await expect(answer).resolves.toMatchObject({ text: 'done' });
  });

  it('is disabled without an engine before the recording has come, and says so in its abilities', async () => {
    fixture = await openFixture('', { pocketsphinx: { location: undefined, models: undefined, path: '' } });
    const caller = newCaller();
    await expect(fixture.stub.transcribe(headAlone(), { caller, deadlineMs: 90_000 })).rejects.toMatchObject({
      condition: 'TRANSCRIPTION_DISABLED',
    });
    await expect(fixture.stub.getAbilities({}, { caller })).resolves.toMatchObject({ transcription: false, transcriptionProvider: '' });
  });

  describe('with a connected server', () => {
    /** A server with this answer, and 400 for a body that matches `refused`; returns the requests that it received. */
    async function connected(status: number, body: string, headers: Record<string, string> = {}, refused?: RegExp) {
      fixture = await openFixture('echo local');
      const asked: { url: string; authorization: string; body: Buffer }[] = [];
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          asked.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body: Buffer.concat(chunks) });
          const isRefused = refused?.test(Buffer.concat(chunks).toString('latin1')) ?? false;
          response.writeHead(isRefused ? 400 : status, { 'content-type': 'application/json', ...headers }).end(body);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      fixture.routing.connection = {
        ...{
          id: uuidv7(),
          provider: 'openai-transcription',
          label: 'w',
          baseUrl,
          secret: 'sk-1',
          models: ['whisper-9'],
          probing: false,
          account: '',
        },
      };
      return { asked, stop: () => new Promise((resolve) => server.close(resolve)) };
    }

    it('sends the recording as it came, and reports that all is well', async () => {
      const { asked, stop } = await connected(200, JSON.stringify({ text: ' Guten Tag ' }));
      const answer = await fixture.stub.transcribe(frames(RECORDING, { language: 'de' }), { caller: newCaller(), deadlineMs: 90_000 });
      expect(answer).toMatchObject({ text: 'Guten Tag', language: 'de', model: 'whisper-9', durationSeconds: 1 });
      const [{ url, authorization, body } = { url: '', authorization: '', body: Buffer.alloc(0) }] = asked;
      expect({ url, authorization }).toEqual({ url: '/v1/audio/transcriptions', authorization: 'Bearer sk-1' });
      expect(body.includes(RECORDING)).toBe(true);
      expect(body.toString('latin1')).toMatch(/name="model"\r\n\r\nwhisper-9[^]*name="language"\r\n\r\nde[^]*filename="recording.wav"/);
      await waitFor(() => fixture.routing.reports.length > 0);
      expect(fixture.routing.reports).toMatchObject([{ ok: true, condition: '' }]);
      await stop();
    });

    it('requests times on demand, and continues without them where the server has none', async () => {
      const segment = { start: 0.1, end: 0.9, text: ' Guten Tag' };
      const { asked, stop } = await connected(200, JSON.stringify({ text: 'Guten Tag', segments: [segment] }));
      const wanted = () => fixture.stub.transcribe(frames(RECORDING, { wantsTimes: true }), { caller: newCaller(), deadlineMs: 90_000 });
      expect((await wanted()).times).toEqual({ segments: [{ text: 'Guten Tag', startSeconds: 0.1, endSeconds: 0.9 }], words: [] });
      expect(asked[0]?.body.toString('latin1')).toMatch(/name="response_format"\r\n\r\nverbose_json[^]*name="timestamp_granularities\[\]"/);
      await stop();
      await fixture.close();
      const other = await connected(200, JSON.stringify({ text: 'Guten Tag' }), {}, /verbose_json/);
      expect((await wanted()).times).toEqual({ segments: [{ text: 'Guten Tag', startSeconds: 0, endSeconds: 1 }], words: [] });
      expect(other.asked).toHaveLength(2);
      await waitFor(() => fixture.routing.reports.length > 0);
      expect(fixture.routing.reports).toMatchObject([{ ok: true, condition: '' }]);
      await other.stop();
    });

    it.each([
      [401, {}, 'TRANSCRIPTION_PROVIDER_UNAVAILABLE', { ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED' }],
      [429, { 'retry-after': '7' }, 'PROVIDER_RATE_LIMITED', { ok: false, condition: 'PROVIDER_RATE_LIMITED' }],
      [400, {}, 'AUDIO_VALIDATION_FAILED', { ok: true }],
      [500, {}, 'TRANSCRIPTION_FAILED', { ok: false, condition: 'PROVIDER_BAD_ANSWER' }],
      [503, {}, 'TRANSCRIPTION_PROVIDER_UNAVAILABLE', { ok: false, condition: 'PROVIDER_UNAVAILABLE' }],
      [504, {}, 'TRANSCRIPTION_TIMEOUT', { ok: false, condition: 'PROVIDER_TIMEOUT' }],
      [200, {}, 'TRANSCRIPTION_FAILED', { ok: false, condition: 'PROVIDER_BAD_ANSWER' }],
      [302, { location: 'http://127.0.0.1:1/' }, 'TRANSCRIPTION_PROVIDER_UNAVAILABLE', { ok: false }],
    ])('names what a %i means, in its own words', async (status, headers, condition, report) => {
      const { stop } = await connected(status, JSON.stringify({ error: { message: 'words of the server' } }), headers);
      const failure = await fixture.stub
        .transcribe(frames(RECORDING), { caller: newCaller(), deadlineMs: 90_000 })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ condition });
      expect(String(failure)).not.toContain('words of the server');
      await waitFor(() => fixture.routing.reports.length > 0);
      expect(fixture.routing.reports).toMatchObject([report]);
      expect(await fixture.scratch()).toEqual([]);
      await stop();
    });
  });
});
