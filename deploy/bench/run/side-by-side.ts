import { type Scenario, type ThroughputScenario, type ThroughputWindow, type Window } from '../results.ts';
import { headline } from './headline.ts';
import { measureLatency } from './latency.ts';
import { markMockBound } from './mock-bound.ts';
import { type StartedTarget } from './rig.ts';
import { inTurn, type Session } from './session.ts';
import { measureThroughput } from './throughput.ts';
import { warmThoroughly } from './warm-up.ts';

type SideBySide = ThroughputScenario | 'latency';

/** All targets run side by side, and the windows take turns, so that a slow minute of the machine hits everyone. */
export async function runSideBySide(session: Session): Promise<void> {
  const { plan, rig, measured } = session;
  const scenarios = plan.scenarios.filter(isSideBySide);
  if (scenarios.length === 0) return;
  const started = await session.startAll(plan.targets);
  for (const target of started) await warmThoroughly(rig, target, plan.settings);
  for (const scenario of scenarios) {
    const windows: Window[] = [];
    for (let round = 1; round <= plan.settings.rounds; round++) {
      for (const target of inTurn(round, started)) {
        const window = await measure(session, target, scenario, round);
        windows.push(window);
        session.say(headline(window));
      }
    }
    measured.windows.push(...windows.filter(({ kind }) => kind === 'latency'), ...markMockBound(windows.filter(isThroughput)));
  }
  for (const target of started) await session.finish(target, scenarios.join(', '));
}

function measure({ rig, plan }: Session, target: StartedTarget, scenario: SideBySide, round: number): Promise<Window> {
  return scenario === 'latency'
    ? measureLatency(rig, target, round, plan.settings)
    : measureThroughput(rig, target, scenario, round, plan.settings);
}

function isSideBySide(scenario: Scenario): scenario is SideBySide {
  return scenario === 'requests' || scenario === 'streams' || scenario === 'burst' || scenario === 'latency';
}

function isThroughput(window: Window): window is ThroughputWindow {
  return 'mockBound' in window;
}
