import { describe, expect, it } from '@jest/globals';
import { BodyBytesLimiter } from './body-bytes-limiter.ts';

const RATE = expect.objectContaining({ condition: 'RATE_LIMIT_EXCEEDED', retryAfterMs: 1_000 });
const FULL = expect.objectContaining({ condition: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });

describe('BodyBytesLimiter', () => {
  it('bounds what one workspace holds, until a body is through', () => {
    const bytes = new BodyBytesLimiter({ workspaceBytes: 10, totalBytes: 100 });
    const [first, second, other] = [bytes.createCounter('a'), bytes.createCounter('a'), bytes.createCounter('b')];
    first.add(4);
    first.add(4);
    expect(() => second.add(3)).toThrow(RATE);
    other.add(10);
    first.release();
    first.release();
    second.add(10);
  });

  it('bounds what all hold together', () => {
    const bytes = new BodyBytesLimiter({ workspaceBytes: 10, totalBytes: 15 });
    const [first, second] = [bytes.createCounter('a'), bytes.createCounter('b')];
    first.add(10);
    expect(() => second.add(6)).toThrow(FULL);
    second.add(5);
    first.release();
    second.add(5);
  });

  it('counts out no more than was counted in', () => {
    const bytes = new BodyBytesLimiter({ workspaceBytes: 10, totalBytes: 10 });
    const [first, second] = [bytes.createCounter('a'), bytes.createCounter('a')];
    first.add(6);
    expect(() => second.add(6)).toThrow(RATE);
    second.release();
    expect(() => second.add(6)).toThrow(RATE);
    first.release();
    second.add(10);
  });
});
