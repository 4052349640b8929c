import { setTimeout as delay } from 'node:timers/promises';
import { type ClosedLoopJob } from '../load/protocol.ts';
import { type IdleWindow } from '../results.ts';
import { runMeasured, settle } from './measured.ts';
import { MAX_ATTEMPTS, MAX_FOREIGN_SHARE } from './quietest.ts';
import { requestFor } from './request-for.ts';
import { type StartedTarget } from './rig.ts';
import { inTurn, type Session } from './session.ts';
import { warmThoroughly } from './warm-up.ts';

const TARGETS: readonly string[] = ['portkey', 'parley-single', 'parley-separate'];
const FIRST_SECOND_MS = 1_000;

interface Warm {
  target: StartedTarget;
  perSecond: number;
  foreignShare: number;
  restingSince: number;
}

/**
 * Measures how a target wakes up: its warm rate, a rest without a single request, and the answers of the first second after it. All rest
 * at the same time, but each for as long as it must; those that were disturbed rest once more.
 */
export async function runIdle(session: Session): Promise<void> {
  const { rig, plan } = session;
  const started = await session.startAll(plan.targets.filter(({ name }) => TARGETS.includes(name)));
  for (const target of started) await warmThoroughly(rig, target, plan.settings);
  for (let round = 1; round <= plan.settings.rounds; round++) {
    const quietest = new Map<StartedTarget, IdleWindow>();
    let left = inTurn(round, started);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && left.length > 0; attempt++) {
      for (const [target, window] of await restAndWake(session, left, round, attempt)) {
        const known = quietest.get(target);
        if (!known || window.foreignShare < known.foreignShare) quietest.set(target, window);
        else quietest.set(target, { ...known, attempts: attempt });
      }
      left = left.filter((target) => quietest.get(target)?.noisy);
    }
    for (const window of quietest.values()) session.keep(window);
  }
  for (const target of started) await session.finish(target, 'idle');
}

async function restAndWake(
  session: Session,
  targets: readonly StartedTarget[],
  round: number,
  attempts: number,
): Promise<Map<StartedTarget, IdleWindow>> {
  const resting: Warm[] = [];
  for (const target of targets) resting.push(await warm(session, target));
  const windows = new Map<StartedTarget, IdleWindow>();
  for (const { target, perSecond, foreignShare, restingSince } of resting) {
    await delay(Math.max(0, restingSince + session.plan.settings.idleSeconds * 1000 - performance.now()));
    const { result, cpu } = await runMeasured(session.rig, target, job(session, target, 0, FIRST_SECOND_MS));
    const firstPerSecond = result.answered / result.seconds;
    const share = Math.max(foreignShare, cpu.foreignShare);
    windows.set(target, {
      kind: 'idle',
      target: target.name,
      round,
      warmPerSecond: perSecond,
      firstPerSecond,
      ratio: firstPerSecond / perSecond,
      foreignShare: share,
      noisy: share > MAX_FOREIGN_SHARE,
      attempts,
      failures: result.failures,
    });
  }
  return windows;
}

async function warm(session: Session, target: StartedTarget): Promise<Warm> {
  const { warmSeconds, seconds } = session.plan.settings;
  const { result, cpu } = await runMeasured(session.rig, target, job(session, target, warmSeconds * 1000, seconds * 1000));
  await settle(target);
  return { target, perSecond: result.answered / result.seconds, foreignShare: cpu.foreignShare, restingSince: performance.now() };
}

function job({ plan }: Session, target: StartedTarget, warmMs: number, windowMs: number): ClosedLoopJob {
  const { connections } = plan.settings;
  return { kind: 'closed-loop', ...requestFor(target, 'fast', false), connections, warmMs, windowMs };
}
