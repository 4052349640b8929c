import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { readMetric, recordSpans, SAMPLED } from '@parley/kit/testing/telemetry';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { z } from 'zod';
import { type SpeechContext, type SpeechProvider } from '../src/providers/speech-provider.ts';
import { newCaller, openFixture, reaches, request, type TestFixture } from './fixture.ts';
import { tone, wav } from './make-recordings.ts';
import { frames, openFixture as openTranscription } from './transcription-fixture.ts';

/** Speaks when it is released, and keeps what it was called with. */
function heldProvider() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const calls: SpeechContext[] = [];
  const voices = [{ id: 'held', name: 'Held', language: 'en', dialect: '', gender: 'neutral' as const, sampleRate: 8_000 }];
  const provider: SpeechProvider = {
    ...{ name: 'held', kind: 'embedded', languages: ['en'], options: z.strictObject({}) },
    voices: async () => voices,
    speak: async (_request, context) => {
      calls.push(context);
      await released;
      return { pcm: [Buffer.alloc(1_600)], sampleRate: 8_000 };
    },
  };
  return { provider, calls, release };
}

const traceOf = (traceparent: string) => traceparent.slice(3, 35);
let tracing: ReturnType<typeof recordSpans>;
beforeAll(() => {
  enableMetrics('test');
  tracing = recordSpans();
});
afterAll(() => tracing.stop());

describe('a speech job', () => {
  let fixture: TestFixture;
  let bus: ReturnType<TestFixture['openBus']>;
  beforeAll(async () => {
    fixture = await openFixture();
    bus = fixture.openBus();
  });
  afterAll(async () => {
    await bus.drain();
    await fixture.close();
  });

  it('is done in a span of the trace of its request, which its events have too, and counted when it has ended', async () => {
    const held = heldProvider();
    const lines: Record<string, unknown>[] = [];
    const log = createLogger({
      service: 'audio',
      destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    });
    const service = await fixture.start({}, { providers: [held.provider], log });
    const events: Event[] = [];
    const consuming = bus.consume({
      ...{ stream: EVENT_STREAM, durable: 'test-traces', filterSubject: EVENT_FILTERS.speechJobs },
      handler: (bytes) => void events.push(...EventBatch.decode(bytes).events),
    });
    held.release();
    const caller = newCaller({ requestId: 'asked' });
    const { id } = await service.stub.createJob(request({ voice: 'held' }), { caller, traceparent: SAMPLED });
    await reaches(service, caller, id, 'completed');
    const span = await waitFor(() => tracing.spans.find(({ attributes }) => attributes['parley.job.id'] === id));
    expect(span).toMatchObject({ name: 'audio.job', traceId: traceOf(SAMPLED), parentSpanId: SAMPLED.slice(36, 52), error: undefined });
    expect(span.attributes).toMatchObject({ 'gen_ai.provider.name': 'held', 'gen_ai.output.type': 'speech', 'parley.request.id': 'asked' });
    expect(held.calls).toMatchObject([{ caller: { requestId: 'asked' }, traceparent: `00-${span.traceId}-${span.spanId}-01` }]);
    expect(lines.filter(({ jobId }) => jobId === id)).toMatchObject([{ msg: 'speech job completed', requestId: 'asked' }]);
    await waitFor(() => events.length === 2);
    expect(events.map(({ traceparent }) => traceparent)).toEqual([SAMPLED, SAMPLED]);
    expect(await readMetric('parley_speech_jobs_total')).toEqual({ 'provider="held",status="completed"': 1 });
    expect(await readMetric('parley_speech_seconds_count')).toEqual({ 'provider="held"': 1 });
    await consuming.stop();
    await service.stop();
  });

  it('counts as backlog while no worker has it, and as taken over when its worker fell silent', async () => {
    const [held, able] = [heldProvider(), heldProvider()];
    const silent = await fixture.start({ workers: 1 }, { providers: [held.provider], leaseMs: 3_600_000 });
    const caller = newCaller();
    const create = () => silent.stub.createJob(request({ voice: 'held' }), { caller });
    const first = await create();
    await waitFor(() => held.calls.length === 1);
    const second = await create();
    const of = async (name: string) => (await readMetric(`parley_lease${name}`))['kind="speech jobs"'];
    expect([await of('s_held'), await of('_backlog')]).toEqual([1, 1]);
    able.release();
    const other = await fixture.start({}, { providers: [able.provider] });
    await reaches(other, caller, second.id, 'completed');
    expect(await of('s_taken_over_total')).toBeUndefined();
    await fixture.sql.query(`UPDATE speech_jobs SET generation = generation + 100, lease_until = now() - interval '1 s' WHERE id = $1`, [
      first.id,
    ]);
    // Its workers look at once.
    await other.stub.createJob(request({ voice: 'held' }), { caller });
    await reaches(other, caller, first.id, 'completed');
    expect(await of('s_taken_over_total')).toBe(1);
    held.release();
    await silent.stop();
    await other.stop();
  });

  it('has its engines counted, and what waits for one', async () => {
    const held = heldProvider();
    const service = await fixture.start({ workers: 1 }, { providers: [held.provider] });
    const caller = newCaller();
    // A workspace speaks two texts at once with one worker; the third waits.
    const spoken = Array.from({ length: 3 }, async () => {
      const call = service.stub.speak(
        { input: 'Hi.', voice: 'held', provider: '', model: '', responseFormat: 'wav' },
        { caller, deadlineMs: 60_000 },
      );
      for await (const _frame of call);
    });
    await waitFor(() => held.calls.length === 2);
    await waitFor(async () => (await readMetric('parley_engine_queue'))[''] === 1);
    expect(await readMetric('parley_engines_busy')).toEqual({ '': 0 });
    held.release();
    await Promise.all(spoken);
    expect(await readMetric('parley_engine_queue')).toEqual({ '': 0 });
    await service.stop();
  });
});

describe('a transcription', () => {
  let fixture: Awaited<ReturnType<typeof openTranscription>>;
  afterAll(() => fixture.close());

  it('is one span of the trace of its request, and counted by provider and status', async () => {
    fixture = await openTranscription('echo hello');
    const caller = { ...newCaller(), requestId: 'asked' };
    const init = { caller, traceparent: SAMPLED, deadlineMs: 90_000 };
    await fixture.stub.transcribe(frames(wav(tone(1))), init);
    await expect(fixture.stub.transcribe(frames(Buffer.from('no audio')), init)).rejects.toMatchObject({ name: 'GatewayError' });
    const spans = tracing.spans.filter(({ name }) => name === 'audio.transcription');
    expect(spans.map(({ traceId, error }) => [traceId, error !== undefined])).toEqual([
      [traceOf(SAMPLED), false],
      [traceOf(SAMPLED), true],
    ]);
    expect(spans[0]?.attributes).toMatchObject({ 'gen_ai.provider.name': 'pocketsphinx', 'gen_ai.output.type': 'text' });
    expect(await readMetric('parley_transcriptions_total')).toEqual({
      'provider="pocketsphinx",status="completed"': 1,
      'provider="none",status="failed"': 1,
    });
  });
});
