import { describe, expect, it } from '@jest/globals';
import { readAgainAfter } from './read-again.ts';

describe('the messages of a conversation', () => {
  it('are read again every second while the last one is being written, and not once it has ended', () => {
    expect(readAgainAfter({ status: 'streaming' })).toBe(1_000);
    for (const status of ['processing_assets', 'completed', 'failed', 'interrupted']) expect(readAgainAfter({ status })).toBe(false);
    expect(readAgainAfter(undefined)).toBe(false);
  });
});
