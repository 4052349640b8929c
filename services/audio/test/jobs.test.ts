import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type AudioFile } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { SpeechJobChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { type SpeechProvider } from '../src/providers/speech-provider.ts';
import { type TestFixture, type Running, newCaller, openFixture, reaches, request } from './fixture.ts';

/** Speaks until it is released or aborted. */
function slowProvider() {
  const seen = { begun: 0, stopped: 0 };
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const voices = [{ id: 'slow', name: 'Slow', language: 'en', dialect: '', gender: 'neutral' as const, sampleRate: 8_000 }];
  const provider: SpeechProvider = {
    ...{ name: 'slow', kind: 'embedded', languages: ['en'], options: z.strictObject({}) },
    voices: async () => voices,
    speak: async (_request, { signal, onProgress }) => {
      seen.begun++;
      onProgress(0.5);
      await Promise.race([
        opened,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      ]).catch((error: unknown) => {
        seen.stopped++;
        throw error;
      });
      return { pcm: [Buffer.alloc(1_600)], sampleRate: 8_000 };
    },
  };
  return { provider, seen, open };
}

/** The audio of a job as another service gets it. */
async function read({ stub }: Running, caller: Caller, id: string) {
  let head: AudioFile | undefined;
  const chunks: Buffer[] = [];
  for await (const { frame } of stub.readContent({ id }, { caller })) {
    if (frame?.$case === 'head') head = frame.value;
    else if (frame) chunks.push(frame.value);
  }
  return { head, bytes: Buffer.concat(chunks) };
}

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

describe('a speech job under way', () => {
  it('tells that it has begun, how far it is and that it has ended', async () => {
    const { provider, open } = slowProvider();
    const service = await fixture.start({}, { providers: [provider] });
    const caller = newCaller();
    const received: string[] = [];
    const bus = fixture.openBus();
    bus.onNotice(NOTICES.speechJobChanged, (bytes) => {
      const { workspaceId, status, progress } = SpeechJobChanged.decode(bytes);
      if (workspaceId === caller.workspaceId) received.push(`${status} ${progress}`);
    });
    const job = await service.stub.createJob(request({ provider: 'slow', voice: 'slow' }), { caller });
    await waitFor(() => received.includes('processing 50'));
    open();
    await reaches(service, caller, job.id, 'completed');
    await waitFor(() => received.includes('completed 100'));
    expect(received).toEqual(['queued 0', 'processing 0', 'processing 50', 'completed 100']);
    await service.stop();
    await bus.drain();
  });
});

describe('a speech job', () => {
  let service: Running;
  beforeAll(async () => {
    service = await fixture.start();
  });
  afterAll(() => service.stop());

  it('is queued, spoken by the embedded engine and downloaded with ranges', async () => {
    const caller = newCaller();
    const job = await service.stub.createJob(request({ voice: 'alloy', provider: 'flite' }), { caller });
    expect(job).toMatchObject({ status: 'queued', provider: 'flite', voice: 'slt', inputCharacters: 12, outputSizeBytes: 0 });
    expect(job.expiresAt?.getTime()).toBe((job.createdAt?.getTime() ?? 0) + 86_400_000);
    await expect(service.stub.openContent({ id: job.id }, { caller })).rejects.toMatchObject({ condition: 'AUDIO_NOT_READY' });
    await expect(read(service, caller, job.id)).rejects.toMatchObject({ condition: 'AUDIO_NOT_READY' });
    const done = await reaches(service, caller, job.id, 'completed');
    expect(done).toMatchObject({ outputMimeType: 'audio/wav', progress: 100 });
    expect(done.durationMs).toBeGreaterThan(500);
    const { baseUrl, path } = await service.stub.openContent({ id: job.id }, { caller });
    const bytes = Buffer.from(await (await fetch(`${baseUrl}${path}`)).arrayBuffer());
    expect([bytes.toString('latin1', 0, 4), bytes.length, bytes.readUInt32LE(40)]).toEqual([
      'RIFF',
      done.outputSizeBytes,
      bytes.length - 44,
    ]);
    await expect(read(service, caller, job.id)).resolves.toEqual({
      head: { fileName: `speech-${job.id}.wav`, mimeType: 'audio/wav', sizeBytes: bytes.length, sha256: hash('sha256', bytes) },
      bytes,
    });
    const part = await fetch(`${baseUrl}${path}`, { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, 'RIFF', 'audio/wav']);
  });

  it('is one for any number of requests with one idempotency key, and another body is refused', async () => {
    const caller = newCaller();
    const same = request({ idempotencyKey: 'k', requestDigest: Buffer.alloc(32, 1) });
    const jobs = await Promise.all(Array.from({ length: 50 }, () => service.stub.createJob(same, { caller })));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    const { rows } = await fixture.sql.query('SELECT characters FROM speech_quota WHERE workspace_id = $1', [caller.workspaceId]);
    expect(rows).toEqual([{ characters: 12 }]);
    const other = request({ idempotencyKey: 'k', requestDigest: Buffer.alloc(32, 2) });
    await expect(service.stub.createJob(other, { caller })).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'Idempotency-Key',
    });
  });

  it.each([
    [{ input: '  ' }, 'VALIDATION_ERROR', 'input'],
    [{ input: 'a'.repeat(10_001) }, 'VALIDATION_ERROR', 'input'],
    [{ voice: '' }, 'VALIDATION_ERROR', 'voice'],
    [{ voice: 'unknown' }, 'VOICE_NOT_FOUND', 'voice'],
    [{ provider: 'unknown' }, 'AUDIO_PROVIDER_NOT_FOUND', 'provider'],
    [{ responseFormat: 'xml' }, 'VALIDATION_ERROR', 'response_format'],
    [{ providerOptions: '{"pitch":9999}' }, 'VALIDATION_ERROR', 'provider_options.pitch'],
    [{ providerOptions: '{"x":1}' }, 'VALIDATION_ERROR', 'provider_options'],
    [{ idempotencyKey: 'k'.repeat(256) }, 'VALIDATION_ERROR', 'Idempotency-Key'],
  ])('that is wrong is refused: %#', async (part, condition, param) => {
    await expect(service.stub.createJob(request(part), { caller: newCaller() })).rejects.toMatchObject({ condition, param });
  });

  it('leaves no text behind when it is cancelled in the middle', async () => {
    const caller = newCaller();
    const { id } = await service.stub.createJob(request({ input: 'A sentence that goes on. '.repeat(300).trim() }), { caller });
    await waitFor(async () => (await fixture.files()).includes('in.txt'));
    await service.stub.cancelJob({ id }, { caller });
    await waitFor(async () => !(await fixture.files()).includes('in.txt'));
  });

  it('is its workspace’s alone', async () => {
    const caller = newCaller();
    const { id } = await service.stub.createJob(request(), { caller });
    const by = { caller: newCaller() };
    for (const call of [service.stub.getJob, service.stub.cancelJob, service.stub.retryJob, service.stub.openContent]) {
      await expect(call({ id }, by)).rejects.toMatchObject({ condition: 'AUDIO_JOB_NOT_FOUND' });
    }
    await expect(read(service, by.caller, id)).rejects.toMatchObject({ condition: 'AUDIO_JOB_NOT_FOUND' });
    await expect(service.stub.listJobs({ status: '', limit: 0, offset: 0 }, by)).resolves.toEqual({ jobs: [], total: 0 });
  });

  it('is refused when the workspace has used its characters up', async () => {
    const caller = newCaller();
    const poor = await fixture.start({ dailyCharacters: 20 });
    await poor.stub.createJob(request(), { caller });
    await expect(poor.stub.createJob(request(), { caller })).rejects.toMatchObject({ condition: 'AUDIO_QUOTA_EXCEEDED' });
    await poor.stop();
  });

  it('has no audio any more when its time is over', async () => {
    const caller = newCaller();
    const brief = await fixture.start({ retentionMs: 1 });
    const { id } = await brief.stub.createJob(request(), { caller });
    await reaches(brief, caller, id, 'completed');
    await expect(brief.stub.openContent({ id }, { caller })).rejects.toMatchObject({ condition: 'AUDIO_EXPIRED' });
    await expect(read(brief, caller, id)).rejects.toMatchObject({ condition: 'AUDIO_EXPIRED' });
    await brief.stop();
  });
});

describe('a job under way', () => {
  it('waits in the queue while its workspace has its share at work, and others go on', async () => {
    const [caller, neighbour] = [newCaller(), newCaller()];
    const { provider, seen, open } = slowProvider();
    const worker = await fixture.start({ workers: 3, workspaceConcurrency: 1 }, { providers: [provider] });
    const slow = request({ voice: 'slow', provider: 'slow' });
    const jobs = [await worker.stub.createJob(slow, { caller }), await worker.stub.createJob(slow, { caller })];
    await waitFor(() => seen.begun === 1);
    await worker.stub.createJob(slow, { caller: neighbour });
    await waitFor(() => seen.begun === 2);
    const statuses = await Promise.all(jobs.map(async ({ id }) => (await worker.stub.getJob({ id }, { caller })).status));
    expect(statuses.sort()).toEqual(['processing', 'queued']);
    open();
    for (const { id } of jobs) await reaches(worker, caller, id, 'completed');
    await worker.stop();
  });

  it('stops its engine when it is cancelled, over another replica too', async () => {
    const caller = newCaller();
    const { provider, seen } = slowProvider();
    const worker = await fixture.start({ workers: 1 }, { providers: [provider] });
    const other = await fixture.start({}, { providers: [provider] });
    const { id } = await worker.stub.createJob(request({ voice: 'slow', provider: 'slow' }), { caller });
    await waitFor(() => seen.begun === 1);
    await expect(other.stub.cancelJob({ id }, { caller })).resolves.toMatchObject({ status: 'cancelled' });
    await waitFor(() => seen.stopped === 1);
    await expect(other.stub.cancelJob({ id }, { caller })).rejects.toMatchObject({ condition: 'AUDIO_JOB_NOT_CANCELLABLE' });
    await Promise.all([worker.stop(), other.stop()]);
  });

  it('waits as long as its provider asks for', async () => {
    const caller = newCaller();
    const { provider, open } = slowProvider();
    const refusals = [new GatewayError('NO_HEALTHY_SESSION', 'limited', { retryAfterMs: 300_000 })];
    const limited: SpeechProvider = {
      ...provider,
      speak: async (asked, context) => {
        const refusal = refusals.pop();
        if (refusal) throw refusal;
        return provider.speak(asked, context);
      },
    };
    open();
    const worker = await fixture.start({}, { providers: [limited] });
    const { id } = await worker.stub.createJob(request({ voice: 'slow', provider: 'slow' }), { caller });
    const waits = `UPDATE speech_jobs SET next_attempt_at = now() WHERE id = $1 AND status = 'queued' AND next_attempt_at > now() + interval '4 min'`;
    await waitFor(async () => (await fixture.sql.query(waits, [id])).rowCount === 1);
    await reaches(worker, caller, id, 'completed');
    await worker.stop();
  });

  it('waits for a replica that has its provider', async () => {
    const caller = newCaller();
    const { provider, seen, open } = slowProvider();
    open();
    const older = await fixture.start();
    const { id } = await older.stub.createJob(request(), { caller });
    // As a newer replica left it when it stopped.
    await fixture.sql.query(
      `UPDATE speech_jobs SET status = 'queued', provider = 'slow', voice = 'slow', generation = generation + 1, blob_key = NULL, next_attempt_at = now() WHERE id = $1`,
      [id],
    );
    // Jobs of its own go on around it.
    const own = await older.stub.createJob(request(), { caller });
    await reaches(older, caller, own.id, 'completed');
    await expect(older.stub.getJob({ id }, { caller })).resolves.toMatchObject({ status: 'queued' });
    const next = await fixture.start({ workers: 1 }, { providers: [provider] });
    await reaches(next, caller, id, 'completed');
    expect(seen.begun).toBe(1);
    await Promise.all([older.stop(), next.stop()]);
  });

  it('is taken up again once when its worker falls silent, and then fails and can be retried', async () => {
    const caller = newCaller();
    const { provider, seen, open } = slowProvider();
    const worker = await fixture.start({}, { providers: [provider], leaseMs: 3_600_000 });
    const { id } = await worker.stub.createJob(request({ voice: 'slow', provider: 'slow', idempotencyKey: uuidv7() }), { caller });
    for (const times of [1, 2]) {
      await waitFor(() => seen.begun === times);
      // A heartbeat may come in between: the row itself says whose it is.
      await fixture.sql.query(`UPDATE speech_jobs SET generation = generation + 100, lease_until = now() - interval '1 s' WHERE id = $1`, [
        id,
      ]);
    }
    const failed = await reaches(worker, caller, id, 'failed');
    expect(failed.error).toMatchObject({ condition: 'INTERNAL_ERROR' });
    await waitFor(() => seen.stopped === 2);
    open();
    const again = await worker.stub.retryJob({ id }, { caller });
    expect(again).toMatchObject({ retryOf: id });
    await reaches(worker, caller, again.id, 'completed');
    await expect(worker.stub.getJob({ id }, { caller })).resolves.toMatchObject({ status: 'failed' });
    await worker.stop();
  });
});
