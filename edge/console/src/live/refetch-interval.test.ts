import { describe, expect, it } from '@jest/globals';
import { toRefetchIntervalMs } from './refetch-interval.ts';

describe('the messages of a conversation', () => {
  it('are read again every second while the last one is being written, and not once it has ended', () => {
    expect(toRefetchIntervalMs({ status: 'streaming' })).toBe(1_000);
    for (const status of ['processing_assets', 'completed', 'failed', 'interrupted']) expect(toRefetchIntervalMs({ status })).toBe(false);
    expect(toRefetchIntervalMs(undefined)).toBe(false);
  });
});
