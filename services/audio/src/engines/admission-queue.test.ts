import { describe, expect, it } from '@jest/globals';
import { AdmissionQueue } from './admission-queue.ts';

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until the test ends it. */
function job(name: string, log: string[]) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async (): Promise<void> => {
    log.push(name);
    await ended;
  };
  return { work, end: () => end() };
}

describe('AdmissionQueue', () => {
  it('runs as many as it may, and the next one when one has ended', async () => {
    const limiter = new AdmissionQueue({ running: 2, runningOfWorkspace: 2, inside: 10, insideOfWorkspace: 10 });
    const log: string[] = [];
    const jobs = ['1', '2', '3'].map((name) => job(name, log));
    const runs = jobs.map(({ work }) => limiter.enter('a').run(work, NEVER));
    await settled();
    expect(log).toEqual(['1', '2']);
    jobs[0]?.end();
    await runs[0];
    await settled();
    expect(log).toEqual(['1', '2', '3']);
  });

  it('passes over a workspace that has its share', async () => {
    const limiter = new AdmissionQueue({ running: 2, runningOfWorkspace: 1, inside: 10, insideOfWorkspace: 10 });
    const log: string[] = [];
    for (const [workspace, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const) {
      void limiter.enter(workspace).run(job(name, log).work, NEVER);
    }
    await settled();
    expect(log).toEqual(['a1', 'b1']);
  });

  it('rejects requests beyond the limit of a workspace and of the process, until one is disposed', () => {
    const limiter = new AdmissionQueue({ running: 1, runningOfWorkspace: 1, inside: 3, insideOfWorkspace: 2 });
    const first = limiter.enter('a');
    limiter.enter('a');
    expect(() => limiter.enter('a')).toThrow(expect.objectContaining({ condition: 'TRANSCRIPTION_RATE_LIMIT', retryAfterMs: 5_000 }));
    limiter.enter('b');
    expect(() => limiter.enter('c')).toThrow(expect.objectContaining({ condition: 'TRANSCRIPTION_RATE_LIMIT' }));
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    limiter.enter('c');
    expect(() => limiter.enter('d')).toThrow();
  });

  it('gives the turn on when work fails', async () => {
    const limiter = new AdmissionQueue({ running: 1, runningOfWorkspace: 1, inside: 3, insideOfWorkspace: 3 });
    const failed = limiter.enter('a').run(() => Promise.reject(new Error('broken')), NEVER);
    const next = limiter.enter('a').run(() => Promise.resolve('fine'), NEVER);
    await expect(failed).rejects.toThrow('broken');
    await expect(next).resolves.toBe('fine');
  });

  it('lets go who no longer waits', async () => {
    const limiter = new AdmissionQueue({ running: 1, runningOfWorkspace: 1, inside: 9, insideOfWorkspace: 9 });
    const log: string[] = [];
    const first = job('first', log);
    const running = limiter.enter('a').run(first.work, NEVER);
    const abort = new AbortController();
    const waiting = limiter.enter('a').run(job('second', log).work, abort.signal);
    abort.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    first.end();
    await running;
    await expect(limiter.enter('a').run(() => Promise.resolve('third'), NEVER)).resolves.toBe('third');
    expect(log).toEqual(['first']);
  });
});
