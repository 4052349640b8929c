import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { OutputWindow } from './output-window.ts';

describe('OutputWindow', () => {
  it('is crowded while many streams are open', () => {
    const window = new OutputWindow();
    const leave = Array.from({ length: 8 }, () => window.enter());
    expect(window.isCrowded).toBe(true);
    leave[0]?.();
    expect(window.isCrowded).toBe(false);
  });

  it('flushes every stream that waits, once', async () => {
    const window = new OutputWindow();
    const flushed: string[] = [];
    for (const name of ['a', 'b']) window.add({ flush: () => void flushed.push(name) });
    expect(flushed).toEqual([]);
    await waitFor(() => flushed.length > 0);
    expect(flushed).toEqual(['a', 'b']);
  });
});
