import { describe, expect, it } from '@jest/globals';
import { WorkspaceBound } from './workspace-bound.ts';

describe('WorkspaceBound', () => {
  it('refuses what is too much for one workspace, with a time to come back, and nobody else', () => {
    const bound = new WorkspaceBound(2);
    bound.enter('a');
    bound.enter('a');
    expect(() => bound.enter('a')).toThrow(expect.objectContaining({ condition: 'RATE_LIMIT_EXCEEDED', retryAfterMs: 1_000 }));
    bound.enter('b');
    bound.leave('a');
    bound.enter('a');
    expect(() => bound.enter('a')).toThrow();
  });
});
