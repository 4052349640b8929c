import { type Results, type Scenario, type ThroughputScenario, type ThroughputWindow, type VerifiedRun, type Window } from '../results.ts';
import { type Target } from '../targets/target.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { markMockBound } from './mock-bound.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';
import { measureThroughput } from './throughput.ts';
import { warmUp } from './warm-up.ts';

// Every memory window starts its target anew; more rounds than these would spend the time on starting.
const MAX_MEMORY_ROUNDS = 3;

/** What to run. */
export interface Plan {
  scenarios: readonly Scenario[];
  targets: readonly Target[];
  settings: Settings;
}

/** What a run fills in. */
export type Measured = Pick<Results, 'windows' | 'verifications' | 'versions' | 'notAvailable'>;

/** Tells the person who waits what is going on. */
export type Say = (line: string) => void;

/** Runs the plan on a rig. A target that cannot be had is noted and left out; the others go on. */
export async function runBench(rig: Rig, plan: Plan, say: Say): Promise<Measured> {
  const measured: Measured = { windows: [], verifications: [], versions: {}, notAvailable: {} };
  const shared = plan.scenarios.filter((scenario) => scenario !== 'memory');
  if (shared.length > 0) await runShared(rig, plan, shared, measured, say);
  if (plan.scenarios.includes('memory')) await runMemory(rig, plan, measured, say);
  return measured;
}

/** All targets run side by side, and the windows take turns, so that a slow minute of the machine hits everyone. */
async function runShared(rig: Rig, plan: Plan, scenarios: Exclude<Scenario, 'memory'>[], measured: Measured, say: Say): Promise<void> {
  const started: StartedTarget[] = [];
  for (const target of plan.targets) {
    const running = await startOrNote(rig, target, measured, say);
    if (running) started.push(running);
  }
  // Once thoroughly after the start: the first windows would measure the compiler otherwise.
  for (const target of started) {
    await warmUp(rig, target, 'fast', false, plan.settings);
    await warmUp(rig, target, 'chunks-64', true, plan.settings);
  }
  for (const scenario of scenarios) {
    const windows: Window[] = [];
    for (let round = 1; round <= plan.settings.rounds; round++) {
      const order = round % 2 === 1 ? started : started.toReversed();
      for (const target of order) {
        const window = await measure(rig, target, scenario, round, plan.settings);
        windows.push(window);
        sayWindow(window, say);
      }
    }
    measured.windows.push(...windows.filter(({ kind }) => kind === 'latency'), ...markMockBound(windows.filter(isThroughput)));
  }
  for (const target of started) {
    await verify(target, scenarios.join(', '), measured, say);
    await rig.stopTarget(target);
  }
}

function measure(
  rig: Rig,
  target: StartedTarget,
  scenario: ThroughputScenario | 'latency',
  round: number,
  settings: Settings,
): Promise<Window> {
  return scenario === 'latency' ? measureLatency(rig, target, round, settings) : measureThroughput(rig, target, scenario, round, settings);
}

async function runMemory(rig: Rig, plan: Plan, measured: Measured, say: Say): Promise<void> {
  // The mock's own memory says nothing about a gateway.
  const targets = plan.targets.filter(({ name }) => name !== 'direct');
  for (let round = 1; round <= Math.min(plan.settings.rounds, MAX_MEMORY_ROUNDS); round++) {
    for (const target of round % 2 === 1 ? targets : targets.toReversed()) {
      if (target.name in measured.notAvailable) continue;
      const started = await startOrNote(rig, target, measured, say);
      if (!started) continue;
      const window = await measureMemory(rig, started, round, plan.settings);
      measured.windows.push(window);
      sayWindow(window, say);
      await verify(started, `memory, round ${round}`, measured, say);
      await rig.stopTarget(started);
    }
  }
}

async function startOrNote(rig: Rig, target: Target, measured: Measured, say: Say): Promise<StartedTarget | undefined> {
  try {
    const started = await rig.startTarget(target);
    measured.versions[target.name] = started.running.version;
    say(`${target.name}: started`);
    return started;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    measured.notAvailable[target.name] = reason;
    say(`${target.name}: not available: ${reason}`);
    return undefined;
  }
}

async function verify(target: StartedTarget, during: string, measured: Measured, say: Say): Promise<void> {
  const verification = await target.running.verify?.(target);
  if (!verification) return;
  const run: VerifiedRun = { target: target.name, during, answered: target.answered, ...verification };
  measured.verifications.push(run);
  say(`${target.name} (${during}): ${verification.summary}`);
}

function isThroughput(window: Window): window is ThroughputWindow {
  return 'mockBound' in window;
}

function sayWindow(window: Window, say: Say): void {
  say(`${window.kind} ${window.round}: ${window.target} ${headline(window)}${window.noisy ? ' (noisy)' : ''}`);
}

function headline(window: Window): string {
  switch (window.kind) {
    case 'latency':
      return `p50 ${window.p50Ms.toFixed(2)} ms, first chunk ${window.firstChunkP50Ms.toFixed(2)} ms`;
    case 'memory':
      return `${window.kibPerStream.toFixed(1)} KiB a stream`;
    case 'requests':
    case 'streams':
    case 'burst':
      return `${window.perSecond.toFixed(0)}/s, ${window.cpuMicrosEach.toFixed(0)} µs CPU each`;
  }
}
