import { artifactRoutes } from './artifacts/routes.ts';
import { audioRoutes } from './audio/routes.ts';
import { Speaker } from './audio/speaker.ts';
import { chatRoutes } from './chat/routes.ts';
import { controlRoutes } from './control/routes.ts';
import { FileReader } from './engine/read-file.ts';
import { fileRoutes } from './files/routes.ts';
import { Pacing } from './generation/pacing.ts';
import { listen, plainErrors, type Listening, type Surface } from './http/listener.ts';
import { openaiErrors } from './openai/errors.ts';
import { openaiRoutes } from './openai/routes.ts';
import { DEFAULT_DELAY_MS, DEFAULT_SESSION_TTL_MS, type SandboxOptions } from './options.ts';
import { projectRoutes } from './projects/routes.ts';
import { type Sandbox } from './sandbox.ts';
import { Challenges } from './sign-in/challenges.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { INTERRUPTED } from './state/tree.ts';
import { SandboxState } from './state/sandbox-state.ts';
import { DiskStore } from './storage/disk-store.ts';
import { FileContents } from './storage/file-contents.ts';
import { MemoryStore } from './storage/memory-store.ts';
import { ticketRoutes } from './tickets/routes.ts';

/** A running sandbox upstream. */
export interface RunningSandbox {
  readonly url: string;
  /** URL of the control endpoint; only with the option `control`. */
  readonly controlUrl?: string;
  /** Closes open connections and writes the log to disk. */
  readonly close: () => Promise<void>;
}

// One row per API: its routes, and its error style below.
const PUBLIC: Surface = {
  routes: [
    ...signInRoutes,
    ...chatRoutes,
    ...fileRoutes,
    ...projectRoutes,
    ...artifactRoutes,
    ...openaiRoutes,
    ...audioRoutes,
    ...ticketRoutes,
  ],
  errorStyle: (path) => (path.startsWith('/v1/') ? openaiErrors : plainErrors),
};
const CONTROL: Surface = { routes: controlRoutes, errorStyle: () => plainErrors };

/** Starts the sandbox upstream: a simulated web chat for use without an account of a real one. Rejects when a port is in use. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const {
    host = '127.0.0.1',
    port = 0,
    delayMs = DEFAULT_DELAY_MS,
    sessionTtlMs = DEFAULT_SESSION_TTL_MS,
    onError = () => undefined,
  } = options;
  const sandboxState = await SandboxState.open(options.dataDir, onError);
  for (const account of options.accounts ?? []) sandboxState.putAccount(account);
  const store = options.dataDir === undefined ? new MemoryStore() : await DiskStore.open(options.dataDir, sandboxState.files.ids());
  const reader = new FileReader();
  const contents = new FileContents(store, reader);
  const speaker = new Speaker();
  const pacing = new Pacing(delayMs);
  const sandbox: Sandbox = {
    sandboxState,
    store,
    contents,
    speaker,
    pacing,
    sessionTtlMs,
    challenges: new Challenges(),
    running: new Set(),
    onError,
  };
  const open: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(open.map((listener) => listener.close()));
    for (const generation of [...sandbox.running]) generation.stop({ reason: 'interrupted', error: INTERRUPTED });
    sandboxState.close();
    await speaker.close();
    await reader.close();
  };
  try {
    const main = await listen(PUBLIC, sandbox, host, port);
    open.push(main);
    if (options.control !== true) return { url: main.url, close };
    const control = await listen(CONTROL, sandbox, '127.0.0.1', options.controlPort ?? 0);
    open.push(control);
    return { url: main.url, controlUrl: control.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
