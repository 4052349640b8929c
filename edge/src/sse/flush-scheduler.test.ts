import { describe, expect, it } from '@jest/globals';
import { LinkedSetMember } from '@parley/kit/collections/linked-set';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type BufferedStream, FlushScheduler } from './flush-scheduler.ts';

const streamOf = (bytes: number): BufferedStream =>
  Object.assign(new LinkedSetMember(), { flush: () => undefined, bufferedBytes: () => bytes });

describe('FlushScheduler', () => {
  it('batches while many streams are open', () => {
    const window = new FlushScheduler();
    const streams = Array.from({ length: 8 }, () => streamOf(0));
    for (const stream of streams) window.addStream(stream);
    expect(window.shouldBatch).toBe(true);
    window.removeStream(streams[0]!);
    expect([window.shouldBatch, window.size]).toEqual([false, 7]);
  });

  it('adds up what the clients of open streams have not taken', () => {
    const window = new FlushScheduler();
    const [slow, slower] = [streamOf(10), streamOf(300)];
    window.addStream(slow);
    window.addStream(slower);
    expect(window.bufferedBytes()).toBe(310);
    window.removeStream(slower);
    expect(window.bufferedBytes()).toBe(10);
  });

  it('flushes every stream that waits, once', async () => {
    const window = new FlushScheduler();
    const flushed: string[] = [];
    for (const name of ['a', 'b']) window.scheduleFlush({ ...streamOf(0), flush: () => void flushed.push(name) });
    expect(flushed).toEqual([]);
    await waitFor(() => flushed.length > 0);
    expect(flushed).toEqual(['a', 'b']);
  });
});
