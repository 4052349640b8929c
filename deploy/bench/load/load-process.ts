import { fileURLToPath } from 'node:url';
import { Child } from '../process/child.ts';
import { type Edge, type Job, type JobResult, type LoadEvent, type Progress } from './protocol.ts';

const ENTRY = fileURLToPath(new URL('./main.js', import.meta.url));

/** What to do when a job reaches an edge of its window; `answeredEver` is how many answers a closed loop has had by then. */
export type OnEdge = (edge: Edge, answeredEver: number) => void;

/** The load generator, in a process of its own; one job at a time. */
export class LoadProcess {
  readonly #child: Child;

  private constructor(child: Child) {
    this.#child = child;
  }

  /** Starts it on its core and waits until it takes jobs. */
  static async start(core: number | undefined): Promise<LoadProcess> {
    const child = await Child.start(process.execPath, [ENTRY], { core, ipc: true });
    await new Promise<void>((resolve, reject) => {
      child.process.once('message', () => resolve());
      child.process.once('exit', () => reject(new Error(`the load did not start: ${child.lastWords}`)));
    });
    return new LoadProcess(child);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Runs one job; the edges are reported as they happen, so that the caller can read clocks there. */
  run(job: Job, onEdge: OnEdge, onProgress?: (progress: Progress) => void): Promise<JobResult> {
    const { process: child } = this.#child;
    return new Promise((resolve, reject) => {
      const listen = (event: LoadEvent): void => {
        if (event.event === 'result') finish(() => resolve(event.result));
        else if (event.event === 'failed') finish(() => reject(new Error(event.message)));
        else if (event.event === 'progress') onProgress?.(event.progress);
        else if (event.event !== 'ready') onEdge(event.event, event.answeredEver);
      };
      const died = (): void => finish(() => reject(new Error(`the load died: ${this.#child.lastWords}`)));
      const finish = (settle: () => void): void => {
        child.off('message', listen);
        child.off('exit', died);
        settle();
      };
      child.on('message', listen);
      child.on('exit', died);
      child.send(job);
    });
  }

  stop(): Promise<void> {
    return this.#child.stop(2_000);
  }
}
