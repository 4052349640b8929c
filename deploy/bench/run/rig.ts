import { LoadProcess } from '../load/load-process.ts';
import { MockProcess } from '../mock/mock-process.ts';
import { type Pinning } from '../process/pinning.ts';
import { type Expected, type Extras, type RunningTarget, type Site, type Target } from '../targets/target.ts';

/** A target of this run, with all that the load ever got from it. */
export interface StartedTarget extends Expected {
  name: string;
  running: RunningTarget;
}

/** Everything that runs during a bench: the mock, the load and the targets; stop() ends them all. */
export class Rig {
  readonly mock: MockProcess;
  readonly load: LoadProcess;
  readonly pinning: Pinning;
  readonly #site: Site;
  readonly #targets = new Set<StartedTarget>();

  private constructor(mock: MockProcess, load: LoadProcess, pinning: Pinning, site: Site) {
    this.mock = mock;
    this.load = load;
    this.pinning = pinning;
    this.#site = site;
  }

  /** Starts mock and load; targets are started one by one. */
  static async start(pinning: Pinning, cacheDir: string): Promise<Rig> {
    const mock = await MockProcess.start(pinning.loadCore);
    const load = await LoadProcess.start(pinning.loadCore);
    return new Rig(mock, load, pinning, { upstreamUrl: mock.url, upstreamPid: mock.pid, core: pinning.targetCore, cacheDir });
  }

  /** Starts one target; `how` overrides the settings of this rig. */
  async startTarget(target: Target, how: Extras = {}): Promise<StartedTarget> {
    const started = { name: target.name, running: await target.start({ ...this.#site, ...how }), answered: 0, aborted: 0 };
    this.#targets.add(started);
    return started;
  }

  /** Stops one target. */
  async stopTarget(target: StartedTarget): Promise<void> {
    this.#targets.delete(target);
    await target.running.stop();
  }

  /** Stops everything, whatever else fails. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#targets].map((target) => this.stopTarget(target)));
    await Promise.allSettled([this.load.stop(), this.mock.stop()]);
  }
}
