import { describe, expect, it } from '@jest/globals';
import { findMatchingTimeStep, toTimeStep, toBase32, computeTotpCode } from './totp.ts';

/** The secret of the examples in RFC 6238. */
const SECRET = Buffer.from('12345678901234567890');

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at second %i are those of RFC 6238', (second, code) => {
    expect(computeTotpCode(SECRET, toTimeStep(second * 1000))).toBe(code);
  });

  it('are taken one step around now, once, and not again before a later one', () => {
    const now = 1_111_111_109_000;
    const step = toTimeStep(now);
    for (const near of [step - 1, step, step + 1]) expect(findMatchingTimeStep(SECRET, computeTotpCode(SECRET, near), now, 0)).toBe(near);
    for (const far of [step - 2, step + 2]) expect(findMatchingTimeStep(SECRET, computeTotpCode(SECRET, far), now, 0)).toBeUndefined();
    expect(findMatchingTimeStep(SECRET, computeTotpCode(SECRET, step), now, step)).toBeUndefined();
  });

  it('come from a secret in Base32', () => {
    expect(toBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  });
});
