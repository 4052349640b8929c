import { describe, expect, it } from '@jest/globals';
import { FairQueue, type FairQueueLimits } from './fair-queue.ts';

const MANY = { files: 100, bytes: 1_000 };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue and the work that started in it; the test ends the work. */
class QueueFixture {
  readonly began: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly queue: FairQueue;

  constructor(limits: Partial<FairQueueLimits> = {}) {
    this.queue = new FairQueue({ running: 2, runningOfWorkspace: 1, waiting: MANY, waitingOfWorkspace: MANY, ...limits });
  }

  /** Work is named by its workspace and a number, such as `a1`. */
  add(name: string, { bytes = 1, signal }: { bytes?: number; signal?: AbortSignal } = {}): Promise<string> {
    const work = () =>
      new Promise<string>((resolve) => {
        this.began.push(name);
        this.#ends.set(name, () => resolve(name));
      });
    return this.queue.run({ workspaceId: name.slice(0, 1), bytes }, work, signal);
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settled();
  }
}

describe('FairQueue', () => {
  it('keeps a place for those who come when one workspace floods it', async () => {
    const fixture = new QueueFixture();
    for (let number = 1; number <= 50; number++) void fixture.add(`a${number}`);
    void fixture.add('b1');
    await settled();
    expect(fixture.began).toEqual(['a1', 'b1']);
  });

  it('lets workspaces take turns, so that at most one piece of work of each other one goes first', async () => {
    const fixture = new QueueFixture({ running: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void fixture.add(name);
    for (let done = 0; done < 6; done++) {
      await settled();
      await fixture.end(fixture.began[done] ?? '');
    }
    expect(fixture.began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('puts a workspace that comes again behind those that wait', async () => {
    const fixture = new QueueFixture({ running: 1 });
    for (const name of ['a1', 'b1', 'c1']) void fixture.add(name);
    await settled();
    await fixture.end('a1');
    void fixture.add('a2');
    await fixture.end('b1');
    await fixture.end('c1');
    expect(fixture.began).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('rejects only a workspace that has used its share of the queue', async () => {
    const fixture = new QueueFixture({ waitingOfWorkspace: { files: 2, bytes: 1_000 } });
    for (const name of ['a1', 'a2', 'a3']) void fixture.add(name);
    await expect(fixture.add('a4')).rejects.toMatchObject({ condition: 'RATE_LIMIT_EXCEEDED', retryAfterMs: 5_000 });
    void fixture.add('b1');
    void fixture.add('b2');
    await settled();
    expect(fixture.began).toEqual(['a1', 'b1']);
  });

  it('counts the bytes that wait, and not those that are worked on', async () => {
    const fixture = new QueueFixture({ waitingOfWorkspace: { files: 100, bytes: 10 } });
    void fixture.add('a1', { bytes: 500 });
    void fixture.add('a2', { bytes: 10 });
    await expect(fixture.add('a3')).rejects.toMatchObject({ condition: 'RATE_LIMIT_EXCEEDED' });
    await settled();
    await fixture.end('a1');
    void fixture.add('a4', { bytes: 10 });
    await settled();
    await fixture.end('a2');
    expect(fixture.began).toEqual(['a1', 'a2', 'a4']);
  });

  it('refuses when too much waits in all', async () => {
    const fixture = new QueueFixture({ waiting: { files: 2, bytes: 1_000 }, running: 1 });
    for (const name of ['a1', 'a2', 'b1']) void fixture.add(name);
    await expect(fixture.add('c1')).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE', retryAfterMs: 5_000 });
  });

  it('gives the turn on when work fails, and when its caller leaves', async () => {
    const fixture = new QueueFixture({ running: 1 });
    const failed = fixture.queue.run({ workspaceId: 'a', bytes: 1 }, () => Promise.reject(new Error('broken')));
    const abort = new AbortController();
    const left = fixture.add('b1', { signal: abort.signal });
    void fixture.add('c1');
    abort.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(failed).rejects.toThrow('broken');
    await settled();
    expect(fixture.began).toEqual(['c1']);
    await expect(fixture.add('d1', { signal: abort.signal })).rejects.toThrow('left');
  });

  it('refuses what waits and what comes once it is closed', async () => {
    const fixture = new QueueFixture({ running: 1 });
    const running = fixture.add('a1');
    const waiting = fixture.add('b1');
    await settled();
    fixture.queue.close(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    await expect(fixture.add('c1')).rejects.toThrow('closed');
    await fixture.end('a1');
    await expect(running).resolves.toBe('a1');
  });
});
