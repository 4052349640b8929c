import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

/** An answer that has not ended. */
function openAnswer(destroyed = false): ServerResponse {
  return Object.assign(new EventEmitter(), { destroyed }) as unknown as ServerResponse;
}

const REFUSAL = expect.objectContaining({ condition: 'RATE_LIMIT_EXCEEDED', retryAfterMs: 1_000 });

describe('ConcurrencyLimiter', () => {
  it('rejects requests above the limit of one workspace with Retry-After, and no other workspace, until an answer is over', () => {
    const bound = new ConcurrencyLimiter(2);
    const first = openAnswer();
    bound.enter({ workspaceId: 'a' }, first);
    bound.enter({ workspaceId: 'a' }, openAnswer());
    expect(() => bound.enter({ workspaceId: 'a' }, openAnswer())).toThrow(REFUSAL);
    bound.enter({ workspaceId: 'b' }, openAnswer());
    first.emit('close');
    bound.enter({ workspaceId: 'a' }, openAnswer());
    expect(() => bound.enter({ workspaceId: 'a' }, openAnswer())).toThrow(REFUSAL);
  });

  it('goes by the number of the workspace where it has one, more or less than what is configured', () => {
    const bound = new ConcurrencyLimiter(2);
    bound.enter({ workspaceId: 'a', maxConcurrency: 1 }, openAnswer());
    expect(() => bound.enter({ workspaceId: 'a', maxConcurrency: 1 }, openAnswer())).toThrow(REFUSAL);
    for (let i = 0; i < 3; i++) bound.enter({ workspaceId: 'b', maxConcurrency: 3 }, openAnswer());
    expect(() => bound.enter({ workspaceId: 'b', maxConcurrency: 3 }, openAnswer())).toThrow(REFUSAL);
    bound.enter({ workspaceId: 'c', maxConcurrency: null }, openAnswer());
  });

  it('does not count in whom it could not count out', () => {
    const bound = new ConcurrencyLimiter(1);
    const enter = (answer: ServerResponse) => bound.enter({ workspaceId: 'a' }, answer);
    expect(() => enter(openAnswer(true))).toThrow(expect.objectContaining({ condition: 'CANCELLED' }));
    enter(openAnswer());
  });
});
