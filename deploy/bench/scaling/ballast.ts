import { Child } from '../process/child.ts';
import { CpuShare } from './cpu-share.ts';

/**
 * Uses up what a replica would that is not there: two threads of one core slow each other down, so a machine must be as busy with one replica as
 * with all of them.
 */
export class Ballast {
  readonly #child: Child;
  readonly #share: CpuShare;

  private constructor(child: Child, share: CpuShare) {
    this.#child = child;
    this.#share = share;
  }

  /** Starts a process that uses so many percent of a core. */
  static async start(percent: number): Promise<Ballast> {
    const child = await Child.start(process.execPath, ['-e', 'for (;;);'], { core: undefined, env: {} });
    return new Ballast(child, await CpuShare.limit(child.pid, percent));
  }

  async stop(): Promise<void> {
    await this.#child.stop();
    await this.#share.close();
  }
}
