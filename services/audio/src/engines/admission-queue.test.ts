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
    const limiter = new AdmissionQueue({ maxRunning: 2, maxRunningPerWorkspace: 2, maxAdmitted: 10, maxAdmittedPerWorkspace: 10 });
    const log: string[] = [];
    const jobs = ['1', '2', '3'].map((name) => job(name, log));
    const runs = jobs.map(({ work }) => limiter.admit('a').run(work, NEVER));
    await settled();
    expect(log).toEqual(['1', '2']);
    jobs[0]?.end();
    await runs[0];
    await settled();
    expect(log).toEqual(['1', '2', '3']);
  });

  it('passes over a workspace that has its share', async () => {
    const limiter = new AdmissionQueue({ maxRunning: 2, maxRunningPerWorkspace: 1, maxAdmitted: 10, maxAdmittedPerWorkspace: 10 });
    const log: string[] = [];
    for (const [workspace, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const) {
      void limiter.admit(workspace).run(job(name, log).work, NEVER);
    }
    await settled();
    expect(log).toEqual(['a1', 'b1']);
  });

  it('rejects requests beyond the limit of a workspace and of the process, until one is disposed', () => {
    const limiter = new AdmissionQueue({ maxRunning: 1, maxRunningPerWorkspace: 1, maxAdmitted: 3, maxAdmittedPerWorkspace: 2 });
    const first = limiter.admit('a');
    limiter.admit('a');
    expect(() => limiter.admit('a')).toThrow(expect.objectContaining({ condition: 'TRANSCRIPTION_RATE_LIMIT', retryAfterMs: 5_000 }));
    limiter.admit('b');
    expect(() => limiter.admit('c')).toThrow(expect.objectContaining({ condition: 'TRANSCRIPTION_RATE_LIMIT' }));
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    limiter.admit('c');
    expect(() => limiter.admit('d')).toThrow();
  });

  it('gives the turn on when work fails', async () => {
    const limiter = new AdmissionQueue({ maxRunning: 1, maxRunningPerWorkspace: 1, maxAdmitted: 3, maxAdmittedPerWorkspace: 3 });
    const failed = limiter.admit('a').run(() => Promise.reject(new Error('broken')), NEVER);
    const next = limiter.admit('a').run(() => Promise.resolve('fine'), NEVER);
    await expect(failed).rejects.toThrow('broken');
    await expect(next).resolves.toBe('fine');
  });

  it('lets go who no longer waits', async () => {
    const limiter = new AdmissionQueue({ maxRunning: 1, maxRunningPerWorkspace: 1, maxAdmitted: 9, maxAdmittedPerWorkspace: 9 });
    const log: string[] = [];
    const first = job('first', log);
    const running = limiter.admit('a').run(first.work, NEVER);
    const abort = new AbortController();
    const waiting = limiter.admit('a').run(job('second', log).work, abort.signal);
    abort.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    first.end();
    await running;
    await expect(limiter.admit('a').run(() => Promise.resolve('third'), NEVER)).resolves.toBe('third');
    expect(log).toEqual(['first']);
  });
});
