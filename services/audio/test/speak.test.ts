import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type SpeakRequest } from '@parley/protos/audio/v1/audio';
import { EventBatch, type SpeechEnded } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wavHeader } from '../src/speech/wav.ts';
import { type TestFixture, type Running, newCaller, openFixture, reaches, request } from './fixture.ts';

let fixture: TestFixture;
let service: Running;
let stop: () => Promise<void> = () => Promise.resolve();
const received: { subject: string; value: SpeechEnded }[] = [];
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start();
  const bus = fixture.openBus();
  const consuming = bus.consume({
    ...{ stream: EVENT_STREAM, durable: 'speeches', filterSubject: EVENT_FILTERS.speeches, maxInFlight: 1 },
    handler: async (bytes, { subject }) => {
      for (const { payload } of EventBatch.decode(bytes).events) {
        if (payload?.$case === 'speechEnded') received.push({ subject: subject.slice(subject.indexOf('.') + 1), value: payload.value });
      }
    },
  });
  stop = async () => {
    await consuming.stop();
    await bus.drain();
  };
});
afterAll(async () => {
  await stop();
  await fixture.close();
});

async function speak(part: Partial<SpeakRequest>, caller: Caller = newCaller()) {
  const asked: SpeakRequest = {
    input: 'Good morning.',
    voice: 'alloy',
    model: '',
    responseFormat: '',
    provider: '',
    speed: undefined,
    ...part,
  };
  const chunks: Uint8Array[] = [];
  let head: { mimeType: string; sizeBytes?: number | undefined } | undefined;
  for await (const { frame } of service.stub.speak(asked, { caller, deadlineMs: 60_000 })) {
    if (frame?.$case === 'head') head = frame.value;
    else if (frame) chunks.push(frame.value);
  }
  return { head, bytes: Buffer.concat(chunks) };
}

describe('speech at once', () => {
  it('is WAV, MP3 or PCM at 24 kHz', async () => {
    const wav = await speak({});
    expect(wav.head).toEqual({
      mimeType: 'audio/wav',
      durationMs: expect.closeTo((wav.bytes.length - 44) / 32, 0),
      sizeBytes: wav.bytes.length,
    });
    const pcm = await speak({ responseFormat: 'pcm' });
    expect(pcm.head?.mimeType).toBe('audio/pcm;rate=24000');
    expect(pcm.bytes.length / 2).toBe(Math.round(((wav.bytes.length - 44) / 2) * 1.5));
    const mp3 = await speak({ responseFormat: 'mp3' });
    expect(mp3.head?.mimeType).toBe('audio/mpeg');
    expect([mp3.bytes[0], (mp3.bytes[1] ?? 0) & 0xe0]).toEqual([0xff, 0xe0]);
    expect(mp3.bytes.length).toBeLessThan(wav.bytes.length / 2);
  });

  it.each([
    ['opus', 'audio/ogg', 'OggS'],
    ['flac', 'audio/flac', 'fLaC'],
    // AAC has no maintained encoder under a suitable licence: ADR 0051.
    ['aac', 'audio/wav', 'RIFF'],
  ])('as %s is %s', async (responseFormat, mimeType, magic) => {
    const { head, bytes } = await speak({ responseFormat });
    expect(head).toMatchObject({ mimeType, sizeBytes: bytes.length });
    expect(bytes.toString('latin1', 0, 4)).toBe(magic);
  });

  it('is longer the slower it is', async () => {
    const [usual, slow] = [await speak({}), await speak({ speed: 0.5 })];
    expect(slow.bytes.length).toBeGreaterThan(usual.bytes.length * 1.7);
  });

  it.each<[Partial<SpeakRequest>, string]>([
    [{ input: 'a'.repeat(4_097) }, 'input'],
    [{ speed: 5 }, 'speed'],
    [{ responseFormat: 'xml' }, 'response_format'],
    [{ voice: 'unknown' }, 'voice'],
  ])('is refused when it cannot be: %#', async (part, param) => {
    await expect(speak(part)).rejects.toMatchObject({ param });
  });

  it('outlives text that would break the engine', async () => {
    await expect(speak({ input: 'a'.repeat(400) })).resolves.toMatchObject({ head: { mimeType: 'audio/wav' } });
  });
});

describe('usage of speech at once', () => {
  /** Its events and its charged characters. */
  async function readUsage(caller: Caller) {
    const events = await waitFor(() => {
      const ours = received.filter(({ value }) => value.workspaceId === caller.workspaceId);
      return ours.length > 0 && ours;
    });
    const { rows } = await fixture.sql.query<{ characters: number }>('SELECT characters FROM speech_quota WHERE workspace_id = $1', [
      caller.workspaceId,
    ]);
    return { events, characters: rows[0]?.characters ?? 0 };
  }

  it('counts what was answered, once', async () => {
    const caller = newCaller();
    await speak({ model: 'tts-1' }, caller);
    const { events, characters } = await readUsage(caller);
    expect(events).toMatchObject([
      {
        subject: 'parley.audio.speech.completed',
        value: { keyId: caller.keyId, provider: 'flite', status: 'completed', errorCondition: '', inputCharacters: 13, model: 'tts-1' },
      },
    ]);
    expect(characters).toBe(13);
  });

  it('counts what was refused', async () => {
    const caller = newCaller();
    await expect(speak({ voice: 'unknown' }, caller)).rejects.toMatchObject({ condition: 'VOICE_NOT_FOUND' });
    const { events } = await readUsage(caller);
    expect(events).toMatchObject([
      { subject: 'parley.audio.speech.failed', value: { provider: '', status: 'failed', errorCondition: 'VOICE_NOT_FOUND' } },
    ]);
  });

  it('counts what failed, and gives its characters back', async () => {
    const caller = newCaller();
    fixture.upstream.baseUrls.set(caller.workspaceId, 'http://127.0.0.1:1/v1');
    await expect(speak({}, caller)).rejects.toMatchObject({ condition: expect.stringMatching(/^PROVIDER_/) });
    const { events, characters } = await readUsage(caller);
    expect(events).toMatchObject([{ subject: 'parley.audio.speech.failed', value: { provider: 'openai-speech', status: 'failed' } }]);
    expect(characters).toBe(0);
  });
});

describe('a speech server', () => {
  it('gets passages at sentences, is asked again after a failure, and its parts are one', async () => {
    const inputs: string[] = [];
    let failures = 1;
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        if (failures-- > 0) return void response.writeHead(503).end();
        inputs.push((JSON.parse(Buffer.concat(chunks).toString()) as { input: string }).input);
        response.writeHead(200, { 'content-type': 'audio/wav' }).end(Buffer.concat([wavHeader(4_800, 24_000), Buffer.alloc(4_800, 1)]));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const caller = newCaller();
    fixture.upstream.reports.length = 0;
    fixture.upstream.baseUrls.set(caller.workspaceId, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    const { providers } = await service.stub.listProviders({}, { caller });
    expect(providers.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['openai-speech', true],
      ['elevenlabs', false],
      ['flite', false],
    ]);
    const input = 'One sentence of some length. '.repeat(200).trim();
    const { id } = await service.stub.createJob(request({ input, voice: 'nova', responseFormat: 'flac' }), { caller });
    const done = await reaches(service, caller, id, 'completed');
    expect(done).toMatchObject({ provider: 'openai-speech', voice: 'nova', outputMimeType: 'audio/flac', durationMs: 200 });
    expect(inputs).toHaveLength(2);
    expect(inputs.join(' ')).toBe(input);
    expect(fixture.upstream.reports).toMatchObject([{ connectionId: 'c', ok: true }]);
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['whose client leaves', 60_000, 'CANCELLED'],
    ['that is too slow', 3_000, 'PROVIDER_TIMEOUT'],
  ])('%s is not reported as well', async (_name, deadlineMs, condition) => {
    const server = createServer(() => left.abort()).listen(0, '127.0.0.1');
    const left = new AbortController();
    if (condition === 'PROVIDER_TIMEOUT') server.removeAllListeners('request');
    await once(server, 'listening');
    const caller = newCaller();
    fixture.upstream.baseUrls.set(caller.workspaceId, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    fixture.upstream.reports.length = 0;
    const asked = { input: 'Good morning.', voice: 'nova', model: '', responseFormat: '', provider: '', speed: undefined };
    const speech = service.stub.speak(asked, { caller, deadlineMs, signal: left.signal })[Symbol.asyncIterator]();
    await expect(speech.next()).rejects.toThrow();
    await waitFor(() => fixture.upstream.reports.length > 0);
    expect(fixture.upstream.reports).toMatchObject([{ ok: false, condition }]);
    server.closeAllConnections();
    server.close();
  });
});

it('is spoken for so many at once, and the rest are turned away', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = newCaller();
  fixture.upstream.baseUrls.set(caller.workspaceId, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const clients = Array.from({ length: 40 }, () => new AbortController());
  const asked = { input: 'Good morning.', voice: 'nova', model: '', responseFormat: '', provider: '', speed: undefined };
  const first = ({ signal }: AbortController) =>
    service.stub.speak(asked, { caller, deadlineMs: 60_000, signal })[Symbol.asyncIterator]().next();
  const all = clients.map((client) => first(client).then(String, (error: unknown) => (error as { condition?: string }).condition));
  const turnedAway = await Promise.race(all);
  expect(turnedAway).toBe('RATE_LIMIT_EXCEEDED');
  for (const client of clients) client.abort();
  expect((await Promise.all(all)).filter((condition) => condition === 'RATE_LIMIT_EXCEEDED')).toHaveLength(8);
  server.closeAllConnections();
  server.close();
  fixture.upstream.baseUrls.delete(caller.workspaceId);
  await waitFor(() => speak({}, caller));
});

it('lists voices by dialect and gender, and knows what works', async () => {
  const caller = newCaller();
  const { voices } = await service.stub.listVoices({ provider: 'flite', dialect: 'en-US', gender: 'female' }, { caller });
  expect(voices.map(({ id }) => id)).toEqual(['slt']);
  await expect(service.stub.listVoices({ provider: 'x', dialect: '', gender: '' }, { caller })).rejects.toMatchObject({
    condition: 'AUDIO_PROVIDER_NOT_FOUND',
  });
  await expect(service.stub.getAbilities({}, { caller })).resolves.toMatchObject({ speech: true, speechProvider: 'flite' });
  const provider = await service.stub.getProvider({ provider: 'flite' }, { caller });
  expect(JSON.parse(provider.optionsSchema)).toMatchObject({ type: 'object', additionalProperties: false });
});
