import { describe, expect, it } from '@jest/globals';
import { type Repetition, toRepetition } from './repetition.ts';

const [D, OTHER, NONE] = [Buffer.alloc(32, 'd'), Buffer.alloc(32, 'o'), Buffer.alloc(0)];

describe('what a request is to the last turn', () => {
  it.each<[status: string, retry: boolean, idempotencyKey: string, Repetition]>([
    ['failed', false, '', 'repeat'],
    ['failed', true, '', 'repeat'],
    ['failed', false, 'another', 'repeat'],
    ['interrupted', false, '', 'repeat'],
    ['completed', true, '', 'replay'],
    ['completed', false, '', 'new'],
    ['completed', true, 'another', 'new'],
    ['streaming', true, '', 'new'],
  ])('%s, declared a retry: %p, with the key %j: %s', (status, retry, idempotencyKey, expected) => {
    const last = { turnId: 't', askedTurnId: 't', status, requestDigest: D, failedAccountIds: [] };
    expect(toRepetition({ requestDigest: D, retry, idempotencyKey }, last)).toBe(expected);
    expect(toRepetition({ requestDigest: OTHER, retry, idempotencyKey }, last)).toBe('new');
    expect(toRepetition({ requestDigest: NONE, retry, idempotencyKey }, { ...last, requestDigest: NONE })).toBe('new');
    expect(toRepetition({ requestDigest: D, retry, idempotencyKey }, undefined)).toBe('new');
  });
});
