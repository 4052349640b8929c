import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { admissionOf, type BreakerState, CLOSED, cooldownLeft, DEFAULT_POLICY, OutcomeWindow, withFeature } from './breaker.ts';

const { cooldownMs, maxCooldownMs, consecutiveFailures, minimumTurns, windowMs, rateLimitMs } = DEFAULT_POLICY;

/** A breaker with a clock of its own. */
class Bench {
  now = 1_000;
  state: BreakerState = CLOSED;
  readonly window = new OutcomeWindow(DEFAULT_POLICY);

  ok = () => (this.state = this.window.succeeded(this.state, this.now));
  fail = (times = 1) => {
    for (let n = 0; n < times; n++) this.state = this.window.failed(this.state, this.now);
  };
  limit = () => (this.state = this.window.rateLimited(this.state, this.now));
  expire = () => (this.state = this.window.expired(this.state));
  reconnect = () => (this.state = this.window.connected(this.state, true));
  wait = (ms: number) => (this.now += ms);
  get admission() {
    return admissionOf(this.state, this.now);
  }
}

describe('the circuit breaker', () => {
  it('opens after failures in a row, and half-opens when the cooldown is over', () => {
    const bench = new Bench();
    bench.fail(consecutiveFailures - 1);
    expect(bench.admission).toBe('closed');
    bench.fail();
    expect(bench.admission).toBe('open');
    expect(cooldownLeft(bench.state, bench.now)).toBe(cooldownMs);
    bench.wait(cooldownMs);
    expect(bench.admission).toBe('half_open');
    expect(cooldownLeft(bench.state, bench.now)).toBe(0);
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

  it('closes when a turn succeeds after the cooldown, and starts anew', () => {
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
      const left = cooldownLeft(bench.state, bench.now);
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

  it('keeps a limit for its whole time, whatever other turns say', () => {
    const bench = new Bench();
    bench.limit();
    bench.ok();
    bench.wait(rateLimitMs - 1);
    bench.ok();
    expect(bench.admission).toBe('rate_limited');
    bench.wait(1);
    expect(bench.admission).toBe('closed');
  });

  it('stays expired until it is connected anew', () => {
    const bench = new Bench();
    bench.expire();
    bench.ok();
    expect(bench.admission).toBe('expired');
    bench.reconnect();
    expect(bench.state).toEqual({ ...CLOSED, proven: true });
  });

  it('keeps a limit when it is only tested', () => {
    const bench = new Bench();
    bench.expire();
    bench.limit();
    bench.state = bench.window.connected(bench.state, false);
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
    const refused = withFeature(bench.state, 'images', false);
    expect(withFeature(refused, 'images', false)).toBe(refused);
    expect(withFeature(bench.state, 'images', true)).toBe(bench.state);
    expect(withFeature(withFeature(refused, 'project_files', false), 'images', true).refused).toEqual(['project_files']);
    bench.state = refused;
    expect([bench.admission, bench.ok().refused]).toEqual(['closed', ['images']]);
    expect(bench.reconnect().refused).toEqual([]);
  });

  const steps = fc.array(
    fc.oneof(
      fc.constantFrom('ok', 'fail', 'limit', 'expire', 'reconnect').map((act) => ({ act, ms: 0 })),
      fc.integer({ min: 1, max: 700_000 }).map((ms) => ({ act: 'wait', ms })),
    ),
    { maxLength: 60 },
  );

  it('holds its promises for any history', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const bench = new Bench();
        for (const { act, ms } of history) {
          const before = { ...bench.state };
          const admission = bench.admission;
          if (act === 'wait') bench.wait(ms);
          else (bench[act as 'ok'] as () => void)();
          const { state, now } = bench;
          expect(state.openUntil - now).toBeLessThanOrEqual(maxCooldownMs);
          expect(state.rateLimitedUntil - now).toBeLessThanOrEqual(rateLimitMs);
          expect(state.openings === 0).toBe(state.openUntil === 0);
          // What is not closed opens again only by waiting or by being connected, or by the probe of a half-open one.
          if (bench.admission === 'closed' && admission !== 'closed') expect(['wait', 'reconnect', 'ok']).toContain(act);
          if (act === 'ok' && admission === 'open') expect(state.openUntil).toBe(before.openUntil);
          if (before.expired && act !== 'reconnect') expect(state.expired).toBe(true);
          if (act === 'reconnect') expect(bench.admission).toBe('closed');
          if (bench.admission === 'closed' || bench.admission === 'half_open') expect(cooldownLeft(state, now)).toBe(0);
        }
      }),
    );
  });
});
