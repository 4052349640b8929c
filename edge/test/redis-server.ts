import { waitFor } from '@parley/kit/testing/wait-for';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';

/** Whether this machine has a Redis; tests that need one are skipped without. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis that a test can stop and start. */
export interface RedisServer extends AsyncDisposable {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Redis on a free port that keeps nothing. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let running: ChildProcess | undefined;
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout.on('data', (data) => (said += String(data)));
    await waitFor(() => said.includes('Ready to accept connections'));
    running = child;
  };
  const stop = async () => {
    const child = running;
    running = undefined;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return { url: `redis://127.0.0.1:${port}`, start, stop, [Symbol.asyncDispose]: stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
