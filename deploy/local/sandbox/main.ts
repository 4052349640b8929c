import { readSandboxConfig } from './config.ts';
import { startSandbox, type RunningSandbox } from './server.ts';

function report(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
}

function fail(error: unknown): never {
  report(error);
  process.exit(1);
}

async function start(): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ ...readSandboxConfig(process.env), onError: report });
  process.stdout.write(`${JSON.stringify({ ready: true, url: sandbox.url, control_url: sandbox.controlUrl })}\n`);
  return sandbox;
}

const sandbox = await start().catch(fail);
let stopping = false;

function stop(): void {
  if (stopping) return;
  stopping = true;
  sandbox.close().then(() => process.exit(0), fail);
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Started with an IPC channel: the sandbox stops with its parent, so that nothing is left running.
if (process.channel !== undefined) process.on('disconnect', stop);
