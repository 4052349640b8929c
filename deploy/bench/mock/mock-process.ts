import { fileURLToPath } from 'node:url';
import { Child } from '../process/child.ts';
import { type MockCommand, type MockReport } from './protocol.ts';

const ENTRY = fileURLToPath(new URL('../mock-upstream.js', import.meta.url));

/** The mock upstream, in a process of its own. */
export class MockProcess {
  readonly url: string;
  readonly #child: Child;

  private constructor(child: Child, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts it on its core and waits for its port. */
  static async start(core: number | undefined): Promise<MockProcess> {
    const child = await Child.start(process.execPath, [ENTRY], { core, ipc: true });
    const { port } = await new Promise<MockReport>((resolve, reject) => {
      child.process.once('message', (report: MockReport) => resolve(report));
      child.process.once('exit', () => reject(new Error(`the mock did not start: ${child.lastWords}`)));
    });
    return new MockProcess(child, port);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Ends every stream that is held open. */
  release(): void {
    const command: MockCommand = 'release';
    this.#child.process.send(command);
  }

  stop(): Promise<void> {
    return this.#child.stop(2_000);
  }
}
