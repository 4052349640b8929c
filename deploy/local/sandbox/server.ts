import { artifactRoutes } from './artifacts/routes.ts';
import { audioRoutes } from './audio/routes.ts';
import { SpeechSynthesizer } from './audio/speech-synthesizer.ts';
import { chatRoutes } from './chat/routes.ts';
import { controlRoutes } from './control/routes.ts';
import { FileContentReader } from './engine/file-content-reader.ts';
import { fileRoutes } from './files/routes.ts';
import { Pacing } from './generation/pacing.ts';
import { startListener, formatPlainError, type RunningListener, type ApiSurface } from './http/listener.ts';
import { formatOpenaiError } from './openai/errors.ts';
import { openaiRoutes } from './openai/routes.ts';
import { DEFAULT_DELAY_MS, DEFAULT_SESSION_TTL_MS, type SandboxOptions } from './options.ts';
import { projectRoutes } from './projects/routes.ts';
import { type SandboxContext } from './sandbox-context.ts';
import { Challenges } from './sign-in/challenges.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { INTERRUPTED_ERROR } from './state/message-tree.ts';
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

// One row per API: its routes, and its error formatter below.
const PUBLIC: ApiSurface = {
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
  getErrorFormatter: (path) => (path.startsWith('/v1/') ? formatOpenaiError : formatPlainError),
};
const CONTROL: ApiSurface = { routes: controlRoutes, getErrorFormatter: () => formatPlainError };

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
  const reader = new FileContentReader();
  const contents = new FileContents(store, reader);
  const speechSynthesizer = new SpeechSynthesizer();
  const pacing = new Pacing(delayMs);
  const sandbox: SandboxContext = {
    sandboxState,
    store,
    contents,
    speechSynthesizer,
    pacing,
    sessionTtlMs,
    challenges: new Challenges(),
    runningGenerations: new Set(),
    onError,
  };
  const open: RunningListener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(open.map((listener) => listener.close()));
    for (const generation of [...sandbox.runningGenerations]) generation.stop({ reason: 'interrupted', error: INTERRUPTED_ERROR });
    sandboxState.close();
    await speechSynthesizer.close();
    await reader.close();
  };
  try {
    const main = await startListener(PUBLIC, sandbox, host, port);
    open.push(main);
    if (options.control !== true) return { url: main.url, close };
    const control = await startListener(CONTROL, sandbox, '127.0.0.1', options.controlPort ?? 0);
    open.push(control);
    return { url: main.url, controlUrl: control.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
