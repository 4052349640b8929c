import { describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { findClockErrorSeconds, newTotpSecret, findTotpStep } from './totp.ts';

/** The key of the test vectors of RFC 6238, appendix B, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const STEP_S = 30;

describe('codes of an authenticator app', () => {
  const { secret } = newTotpSecret('ada@example.com');
  const at = (epoch: number) => generateSync({ secret, epoch });

  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('are those of RFC 6238 at %s', (epoch, code) => {
    expect(findTotpStep(RFC_SECRET, code, epoch * 1_000)).toBe(Math.floor(epoch / STEP_S));
  });

  it.each([0, 1, 29])('count one step before and after, %s seconds into a step', (into) => {
    const step = 60_000_000;
    const now = step * STEP_S + into;
    const steps = [-4, -2, -1, 0, 1, 2, 4].map((away) => findTotpStep(secret, at(now + away * STEP_S), now * 1_000));
    expect(steps).toEqual([undefined, undefined, step - 1, step, step + 1, undefined, undefined]);
  });

  it('say how far a clock is off, up to ten minutes', () => {
    const now = 1_800_000_000;
    expect([-600, -120, 120, 600].map((off) => findClockErrorSeconds(secret, at(now + off), now * 1_000))).toEqual([-600, -120, 120, 600]);
    expect(findClockErrorSeconds(secret, at(now + 660), now * 1_000)).toBeUndefined();
  });

  it('come from a secret of 160 bits, and a label that may hold anything', () => {
    const { uri } = newTotpSecret('Ada: "the first"?&issuer=Evil');
    const parsed = new URL(uri);
    expect(parsed.searchParams.getAll('issuer')).toEqual(['Parley']);
    expect(parsed.searchParams.get('secret')).toMatch(/^[A-Z2-7]{32}$/);
  });
});
