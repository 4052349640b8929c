import { type Results, type Scenario, type Window } from '../results.ts';
import { type Extras, type Target } from '../targets/target.ts';
import { headline } from './headline.ts';
import { type Rig, type StartedTarget } from './rig.ts';
import { type Settings } from './settings.ts';

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

/** A run under way: its rig, its plan, and what has been measured so far. */
export class Session {
  readonly rig: Rig;
  readonly plan: Plan;
  readonly say: Say;
  readonly measured: Measured = { windows: [], verifications: [], versions: {}, notAvailable: {} };

  constructor(rig: Rig, plan: Plan, say: Say) {
    this.rig = rig;
    this.plan = plan;
    this.say = say;
  }

  /** Starts a target; one that cannot be had is noted and left out from then on. */
  async start(target: Target, how: Extras = {}): Promise<StartedTarget | undefined> {
    if (target.name in this.measured.notAvailable) return undefined;
    try {
      const started = await this.rig.startTarget(target, how);
      this.measured.versions[target.name] = started.running.version;
      this.say(`${target.name}: started`);
      return started;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.measured.notAvailable[target.name] = reason;
      this.say(`${target.name}: not available: ${reason}`);
      return undefined;
    }
  }

  /** Starts the targets that can be had, one by one. */
  async startAll(targets: readonly Target[], how: Extras = {}): Promise<StartedTarget[]> {
    const started: StartedTarget[] = [];
    for (const target of targets) {
      const running = await this.start(target, how);
      if (running) started.push(running);
    }
    return started;
  }

  /** Keeps a window. */
  keep(window: Window): void {
    this.measured.windows.push(window);
    this.say(headline(window));
  }

  /** Holds a target's record against what the load got from it. */
  async verify(target: StartedTarget, during: string): Promise<void> {
    const verification = await target.running.verify?.(target);
    if (!verification) return;
    this.measured.verifications.push({ target: target.name, during, answered: target.answered, ...verification });
    this.say(`${target.name} (${during}): ${verification.summary}`);
  }

  /** Verifies a target and stops it. */
  async finish(target: StartedTarget, during: string): Promise<void> {
    await this.verify(target, during);
    await this.rig.stopTarget(target);
  }
}

/** Every second round goes the other way round, so that no target always comes first. */
export function inTurn<T>(round: number, items: readonly T[]): readonly T[] {
  return round % 2 === 1 ? items : items.toReversed();
}
