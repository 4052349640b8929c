import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  toAdmission,
  type BreakerState,
  INITIAL_BREAKER_STATE,
  getRemainingCooldownMs,
  DEFAULT_BREAKER_POLICY,
  withFeatureOutcome,
} from './breaker.ts';
import { type ProbeResult } from './error-effects.ts';
import { OutcomeWindow } from './outcome-window.ts';

const { cooldownMs, maxCooldownMs, consecutiveFailures, minimumTurns, windowMs, rateLimitMs } = DEFAULT_BREAKER_POLICY;
const { creditMs, maxCreditMs, expiredMs, maxExpiredMs, rejectionsBeforeProbe, minProbeIntervalMs } = DEFAULT_BREAKER_POLICY;
/** The most that jitter adds. */
const JITTER = 1.1;

/** A breaker with a clock of its own. */
class Bench {
  now = 1_000;
  state: BreakerState = INITIAL_BREAKER_STATE;
  readonly window = new OutcomeWindow(DEFAULT_BREAKER_POLICY, () => 0);

  ok = () => (this.state = this.window.recordSuccess(this.state, this.now));
  fail = (times = 1) => {
    for (let n = 0; n < times; n++) this.state = this.window.recordFailure(this.state, this.now);
  };
  limit = () => (this.state = this.window.recordRateLimit(this.state, this.now));
  expire = () => (this.state = this.window.recordExpiry(this.state, this.now));
  unauthorized = () => (this.state = this.window.recordUnauthorized(this.state, this.now));
  forbidden = () => (this.state = this.window.recordForbidden(this.state, this.now));
  broke = () => (this.state = this.window.recordNoCredit(this.state, this.now));
  reject = (conversationId: string) => (this.state = this.window.recordRejection(this.state, conversationId, this.now));
  probe = (finding: ProbeResult) => (this.state = this.window.recordProbe(this.state, finding, this.now));
  reconnect = () => (this.state = this.window.recordSuccessfulTest(this.state, true));
  wait = (ms: number) => (this.now += ms);
  get admission() {
    return toAdmission(this.state, this.now);
  }
  /** Milliseconds until it is probed; undefined when there is nothing to find out. */
  get probeIn() {
    return this.state.probeAt === 0 ? undefined : this.state.probeAt - this.now;
  }
}

describe('the circuit breaker', () => {
  it('opens after failures in a row, and half-opens when the cooldown is over', () => {
    const bench = new Bench();
    bench.fail(consecutiveFailures - 1);
    expect(bench.admission).toBe('closed');
    bench.fail();
    expect(bench.admission).toBe('open');
    expect(getRemainingCooldownMs(bench.state, bench.now)).toBe(cooldownMs);
    bench.wait(cooldownMs);
    expect(bench.admission).toBe('half_open');
    expect(getRemainingCooldownMs(bench.state, bench.now)).toBe(0);
  });

  it('counts failures in a row, not in all', () => {
    const bench = new Bench();
    for (let round = 0; round < 3; round++) {
      bench.fail(consecutiveFailures - 1);
      bench.ok();
      bench.wait(windowMs + 1);
    }
    expect(bench.admission).toBe('closed');
  });

  it('opens at half of the turns in the window, however they are mixed', () => {
    const bench = new Bench();
    for (let n = 0; n < minimumTurns / 2 - 1; n++) {
      bench.fail();
      bench.ok();
    }
    bench.fail();
    expect(bench.admission).toBe('closed');
    bench.fail();
    expect(bench.admission).toBe('open');
  });

  it('forgets failures that left the window', () => {
    const bench = new Bench();
    for (let n = 0; n < 20; n++) {
      bench.fail();
      bench.wait(windowMs / 3);
      bench.ok();
    }
    expect(bench.admission).toBe('closed');
  });

  it('closes when a turn succeeds after the cooldown, and starts over', () => {
    const bench = new Bench();
    bench.fail(consecutiveFailures);
    bench.wait(cooldownMs);
    bench.ok();
    expect(bench.admission).toBe('closed');
    expect(bench.state).toMatchObject({ proven: true, openings: 0 });
    bench.fail(consecutiveFailures - 1);
    expect(bench.admission).toBe('closed');
  });

  it('doubles the cooldown with every opening in a row, up to its most', () => {
    const bench = new Bench();
    bench.fail(consecutiveFailures);
    const cooldowns = Array.from({ length: 7 }, () => {
      const left = getRemainingCooldownMs(bench.state, bench.now);
      bench.wait(left);
      bench.fail();
      return left;
    });
    expect(cooldowns).toEqual([30, 60, 120, 240, 480, 600, 600].map((seconds) => seconds * 1_000));
  });

  it.each(['ok', 'fail'] as const)('stays open when a turn that had begun before ends (%s)', (how) => {
    const bench = new Bench();
    bench.fail(consecutiveFailures);
    const { openUntil } = bench.state;
    bench.wait(1_000);
    bench[how]();
    expect(bench.state).toMatchObject({ openUntil, openings: 1 });
  });

  it('keeps a limit for its whole time, whatever the outcome of other turns', () => {
    const bench = new Bench();
    bench.limit();
    bench.ok();
    bench.wait(rateLimitMs - 1);
    bench.ok();
    expect(bench.admission).toBe('rate_limited');
    bench.wait(1);
    expect(bench.admission).toBe('closed');
  });

  it('stays expired until it is connected again', () => {
    const bench = new Bench();
    bench.expire();
    bench.ok();
    expect(bench.admission).toBe('expired');
    bench.reconnect();
    expect(bench.state).toEqual({ ...INITIAL_BREAKER_STATE, proven: true });
  });

  it('keeps a limit when it is only tested', () => {
    const bench = new Bench();
    bench.expire();
    bench.limit();
    bench.state = bench.window.recordSuccessfulTest(bench.state, false);
    expect(bench.admission).toBe('rate_limited');
    bench.reconnect();
    expect(bench.admission).toBe('closed');
  });

  it('gives the same object when nothing changed', () => {
    const bench = new Bench();
    const proven = bench.ok();
    expect(bench.ok()).toBe(proven);
    expect(bench.reconnect()).toBe(proven);
    expect(bench.expire()).toBe(bench.expire());
  });

  it('remembers what is refused of its features until that is served, or all is well, and admits no less', () => {
    const bench = new Bench();
    bench.ok();
    const refused = withFeatureOutcome(bench.state, 'images', false);
    expect(withFeatureOutcome(refused, 'images', false)).toBe(refused);
    expect(withFeatureOutcome(bench.state, 'images', true)).toBe(bench.state);
    expect(withFeatureOutcome(withFeatureOutcome(refused, 'project_files', false), 'images', true).refused).toEqual(['project_files']);
    bench.state = refused;
    expect([bench.admission, bench.ok().refused]).toEqual(['closed', ['images']]);
    expect(bench.reconnect().refused).toEqual([]);
  });

  describe('without credit', () => {
    it('rests for five minutes, then twice as long each time, six hours at most', () => {
      const bench = new Bench();
      const rests = Array.from({ length: 9 }, () => {
        bench.broke();
        expect(bench.admission).toBe('open');
        const left = getRemainingCooldownMs(bench.state, bench.now);
        expect(bench.probeIn).toBe(left);
        bench.wait(left);
        expect(bench.admission).toBe('half_open');
        return left / 60_000;
      });
      expect(rests).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360]);
    });

    it('rests no longer when turns that had begun before fail too', () => {
      const bench = new Bench();
      const rested = bench.broke();
      bench.wait(1);
      expect(bench.broke()).toBe(rested);
    });

    it('keeps what it learned when only the list of models answers, and forgets it when a turn does', () => {
      const bench = new Bench();
      bench.broke();
      bench.wait(creditMs);
      bench.probe('listed');
      expect(bench.admission).toBe('closed');
      bench.broke();
      expect(getRemainingCooldownMs(bench.state, bench.now)).toBe(2 * creditMs);
      bench.wait(2 * creditMs);
      bench.probe('listed');
      bench.ok();
      bench.broke();
      expect(getRemainingCooldownMs(bench.state, bench.now)).toBe(creditMs);
    });

    it('is no worse for a failure of another kind on trial, and rests again when its probe finds no credit', () => {
      const bench = new Bench();
      bench.broke();
      bench.wait(creditMs);
      bench.probe('credit');
      expect(getRemainingCooldownMs(bench.state, bench.now)).toBe(2 * creditMs);
      bench.wait(2 * creditMs);
      bench.probe('listed');
      bench.fail();
      expect(bench.admission).toBe('closed');
    });
  });

  describe('with credentials in doubt', () => {
    it('is probed at once after one 401, and expires with the second in a row', () => {
      const bench = new Bench();
      bench.unauthorized();
      expect([bench.admission, bench.probeIn]).toEqual(['closed', 0]);
      bench.unauthorized();
      expect([bench.admission, bench.probeIn]).toEqual(['expired', expiredMs]);
    });

    it('is not worse for a 401 between turns that are answered', () => {
      const bench = new Bench();
      for (let n = 0; n < 5; n++) {
        bench.unauthorized();
        bench.ok();
        expect([bench.admission, bench.probeIn]).toEqual(['closed', undefined]);
      }
    });

    it('expires when the probe confirms it', () => {
      const bench = new Bench();
      bench.unauthorized();
      bench.probe('refused');
      expect(bench.admission).toBe('expired');
    });

    it('believes a second 401 though the list of models, which may be public, answered', () => {
      const bench = new Bench();
      bench.unauthorized();
      bench.probe('listed');
      expect([bench.admission, bench.probeIn]).toEqual(['closed', undefined]);
      bench.unauthorized();
      expect(bench.admission).toBe('expired');
    });

    it('never expires by 403s of prompts, only by the probe that they bring', () => {
      const bench = new Bench();
      for (let n = 0; n < 20; n++) bench.forbidden();
      expect([bench.admission, bench.probeIn]).toEqual(['closed', 0]);
      bench.probe('listed');
      expect([bench.admission, bench.probeIn]).toEqual(['closed', undefined]);
      bench.forbidden();
      expect(bench.probeIn).toBe(minProbeIntervalMs);
      bench.probe('refused');
      expect(bench.admission).toBe('expired');
    });

    it('is probed after a minute when expired, then after twice as long each time, an hour at most', () => {
      const bench = new Bench();
      bench.expire();
      const waits = Array.from({ length: 8 }, () => {
        const { probeIn = 0 } = bench;
        bench.wait(probeIn);
        bench.probe('refused');
        return probeIn / 60_000;
      });
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
      bench.probe('listed');
      expect(bench.admission).toBe('closed');
      bench.unauthorized();
      expect([bench.admission, bench.probeIn]).toEqual(['expired', maxExpiredMs]);
      bench.probe('answered');
      expect(bench.state).toEqual({ ...INITIAL_BREAKER_STATE, proven: true });
    });
  });

  describe('with requests that are rejected', () => {
    it('is punished for none, and probed after several different conversations in a row', () => {
      const bench = new Bench();
      for (let n = 0; n < 20; n++) bench.reject('same');
      for (let n = 1; n < rejectionsBeforeProbe - 1; n++) bench.reject(`c${n}`);
      expect(bench.state).toBe(INITIAL_BREAKER_STATE);
      bench.reject('one more');
      expect([bench.admission, bench.probeIn]).toEqual(['closed', 0]);
      bench.probe('listed');
      expect([bench.admission, bench.probeIn]).toEqual(['closed', undefined]);
    });

    it('counts from zero when a turn was answered', () => {
      const bench = new Bench();
      for (let n = 1; n < rejectionsBeforeProbe; n++) bench.reject(`c${n}`);
      bench.ok();
      bench.reject('other');
      expect(bench.probeIn).toBeUndefined();
    });

    it('is probed until that proves something, and opens when it fails again and again', () => {
      const bench = new Bench();
      for (let n = 0; n < rejectionsBeforeProbe; n++) bench.reject(`c${n}`);
      for (let n = 1; n < consecutiveFailures; n++) {
        bench.probe('failure');
        expect([bench.admission, bench.probeIn]).toEqual(['closed', minProbeIntervalMs]);
        bench.wait(1_000);
      }
      bench.probe('failure');
      expect(bench.admission).toBe('open');
    });
  });

  describe('on trial', () => {
    it('opens again, for longer, with the first failure, until a turn was answered', () => {
      const bench = new Bench();
      bench.fail(consecutiveFailures);
      bench.wait(cooldownMs);
      bench.probe('listed');
      expect([bench.admission, bench.probeIn]).toEqual(['closed', undefined]);
      bench.fail();
      expect(getRemainingCooldownMs(bench.state, bench.now)).toBe(2 * cooldownMs);
      bench.wait(2 * cooldownMs);
      bench.probe('unproven');
      bench.ok();
      bench.fail(consecutiveFailures - 1);
      expect(bench.admission).toBe('closed');
    });
  });

  it('waits for its whole cooldown, whatever the outcome of an early probe', () => {
    const bench = new Bench();
    bench.unauthorized();
    bench.fail(consecutiveFailures);
    for (const finding of ['answered', 'listed', 'unproven', 'failure'] as const) {
      bench.probe(finding);
      expect([bench.admission, bench.probeIn]).toEqual(['open', cooldownMs]);
    }
  });

  const steps = fc.array(
    fc.oneof(
      fc
        .constantFrom('ok', 'fail', 'limit', 'expire', 'reconnect', 'unauthorized', 'forbidden', 'broke')
        .map((act) => ({ act, ms: 0, of: '' })),
      fc.constantFrom('a', 'b', 'c', 'd', 'e').map((of) => ({ act: 'reject', ms: 0, of })),
      fc
        .constantFrom('answered', 'listed', 'unproven', 'refused', 'credit', 'rate_limited', 'failure')
        .map((of) => ({ act: 'probe', ms: 0, of })),
      fc.integer({ min: 1, max: 700_000 }).map((ms) => ({ act: 'wait', ms, of: '' })),
    ),
    { maxLength: 60 },
  );

  it('holds its promises for any history', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const bench = new Bench();
        for (const { act, ms, of } of history) {
          const before = { ...bench.state };
          const admission = bench.admission;
          if (act === 'wait') bench.wait(ms);
          else if (act === 'probe') bench.probe(of as ProbeResult);
          else if (act === 'reject') bench.reject(of);
          else (bench[act as 'ok'] as () => void)();
          const { state, now } = bench;
          expect(state.openUntil - now).toBeLessThanOrEqual(state.openCause === 'credit' ? maxCreditMs : maxCooldownMs);
          expect(state.rateLimitedUntil - now).toBeLessThanOrEqual(rateLimitMs);
          expect(state.openings === 0).toBe(state.openCause === '');
          if (state.openings === 0 || state.onTrial) expect(state.openUntil).toBe(0);
          // What takes no turns is always about to be probed, and never hammered.
          if (state.expired || ['open', 'half_open'].includes(bench.admission)) expect(state.probeAt).not.toBe(0);
          expect(state.probeAt - now).toBeLessThanOrEqual(Math.max(maxCreditMs, maxExpiredMs) * JITTER);
          // What is not closed admits turns again only by waiting, by being connected, by a probe, or by the turn that probes a half-open one.
          if (bench.admission === 'closed' && admission !== 'closed') expect(['wait', 'reconnect', 'ok', 'probe']).toContain(act);
          // Prompts alone close nothing to others but by what is certain, repeated, or of credit and failures.
          if (['forbidden', 'reject'].includes(act)) expect(bench.admission).toBe(admission);
          if (act === 'ok' && admission === 'open') expect(state.openUntil).toBe(before.openUntil);
          if (before.expired && !['reconnect', 'probe'].includes(act)) expect(state.expired).toBe(true);
          if (act === 'reconnect') expect(bench.admission).toBe('closed');
          if (bench.admission === 'closed' || bench.admission === 'half_open') expect(getRemainingCooldownMs(state, now)).toBe(0);
        }
      }),
    );
  });
});
