import { describe, expect, it } from '@jest/globals';
import { Turnstile } from './turnstile.ts';

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that goes on until it is told to end. */
function job(name: string, log: string[]) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async (): Promise<void> => {
    log.push(name);
    await ended;
  };
  return { work, end: () => end() };
}

describe('Turnstile', () => {
  it('runs as many as it may, and the next one when one has ended', async () => {
    const turnstile = new Turnstile({ running: 2, runningOfWorkspace: 2, inside: 10, insideOfWorkspace: 10 });
    const log: string[] = [];
    const jobs = ['1', '2', '3'].map((name) => job(name, log));
    const runs = jobs.map(({ work }) => turnstile.enter('a').run(work, NEVER));
    await settled();
    expect(log).toEqual(['1', '2']);
    jobs[0]?.end();
    await runs[0];
    await settled();
    expect(log).toEqual(['1', '2', '3']);
  });

  it('passes over a workspace that has its share', async () => {
    const turnstile = new Turnstile({ running: 2, runningOfWorkspace: 1, inside: 10, insideOfWorkspace: 10 });
    const log: string[] = [];
    for (const [workspace, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const) {
      void turnstile.enter(workspace).run(job(name, log).work, NEVER);
    }
    await settled();
    expect(log).toEqual(['a1', 'b1']);
  });

  it('turns away who is too many, of a workspace and of all, until somebody leaves', () => {
    const turnstile = new Turnstile({ running: 1, runningOfWorkspace: 1, inside: 3, insideOfWorkspace: 2 });
    const first = turnstile.enter('a');
    turnstile.enter('a');
    expect(() => turnstile.enter('a')).toThrow(expect.objectContaining({ condition: 'TRANSCRIPTION_RATE_LIMIT', retryAfterMs: 5_000 }));
    turnstile.enter('b');
    expect(() => turnstile.enter('c')).toThrow(expect.objectContaining({ condition: 'TRANSCRIPTION_RATE_LIMIT' }));
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    turnstile.enter('c');
    expect(() => turnstile.enter('d')).toThrow();
  });

  it('gives the turn on when work fails', async () => {
    const turnstile = new Turnstile({ running: 1, runningOfWorkspace: 1, inside: 3, insideOfWorkspace: 3 });
    const failed = turnstile.enter('a').run(() => Promise.reject(new Error('broken')), NEVER);
    const next = turnstile.enter('a').run(() => Promise.resolve('fine'), NEVER);
    await expect(failed).rejects.toThrow('broken');
    await expect(next).resolves.toBe('fine');
  });

  it('lets go who no longer waits', async () => {
    const turnstile = new Turnstile({ running: 1, runningOfWorkspace: 1, inside: 9, insideOfWorkspace: 9 });
    const log: string[] = [];
    const first = job('first', log);
    const running = turnstile.enter('a').run(first.work, NEVER);
    const abort = new AbortController();
    const waiting = turnstile.enter('a').run(job('second', log).work, abort.signal);
    abort.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    first.end();
    await running;
    await expect(turnstile.enter('a').run(() => Promise.resolve('third'), NEVER)).resolves.toBe('third');
    expect(log).toEqual(['first']);
  });
});
