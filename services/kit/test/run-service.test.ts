import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe('runService', () => {
  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill('SIGKILL'));

  function run(behaviour: string, { supervised = false } = {}) {
    const process_ = spawn(
      process.execPath,
      ['--conditions=@parley/source', '--import', file('load-typescript.mjs'), file('run-service.ts'), behaviour],
      {
        stdio: ['ignore', 'pipe', 'pipe', ...(supervised ? (['ipc'] as const) : [])],
      },
    );
    child = process_;
    let out = '';
    let err = '';
    process_.stdout?.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    process_.stderr?.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    // Not the event `close`: it never comes when the parent has disconnected the IPC channel.
    const closed = Promise.all([
      once(process_, 'exit'),
      ...[process_.stdout, process_.stderr].map((stream) => stream && once(stream, 'end')),
    ]).then(() => process_.exitCode);
    return {
      process: process_,
      closed,
      said: (word: string) => waitFor(() => out.includes(word)),
      out: () => out,
      err: () => err,
    };
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('drains, disposes and exits 0 on %s', async (signal) => {
    const service = run('normal');
    await service.said('started');
    service.process.kill(signal);
    await expect(service.closed).resolves.toBe(0);
    expect(service.out()).toBe('started\ndraining\ndrained\ndisposed\n');
  });

  it('exits 1 at once on a second signal', async () => {
    const service = run('drains-forever');
    await service.said('started');
    service.process.kill('SIGTERM');
    await service.said('draining');
    service.process.kill('SIGTERM');
    await expect(service.closed).resolves.toBe(1);
    expect(service.out()).not.toContain('disposed');
  });

  it('continues when draining takes too long', async () => {
    const service = run('stuck');
    await service.said('started');
    service.process.kill('SIGTERM');
    await expect(service.closed).resolves.toBe(0);
    expect(service.out()).toContain('disposed');
    expect(service.out()).toContain('did not finish in time');
  });

  it('exits 1 when disposing fails', async () => {
    const service = run('dispose-fails');
    await service.said('started');
    service.process.kill('SIGTERM');
    await expect(service.closed).resolves.toBe(1);
  });

  it('prints in one line why it cannot start', async () => {
    const service = run('bad-config');
    await expect(service.closed).resolves.toBe(1);
    expect(service.err()).toBe('example: cannot start: bad configuration: PARLEY_PORT must be a port number from 0 to 65535\n');
    expect(service.out()).toBe('');
  });

  it.each(['slow-start', 'never-starts'])('stops while it starts: %s', async (behaviour) => {
    const service = run(behaviour);
    await service.said('starting');
    service.process.kill('SIGTERM');
    await expect(service.closed).resolves.toBe(0);
  });

  it('logs an uncaught error without its secrets, and exits 1', async () => {
    const service = run('throws');
    await expect(service.closed).resolves.toBe(1);
    expect(service.err()).toBe('example: uncaught postgres://***@db/x\n');
    expect(service.out()).toContain('uncaught error');
    expect(service.out()).not.toContain('hunter2');
  });

  it('stops when its parent exits, and leaves Ctrl-C to the parent', async () => {
    const service = run('normal', { supervised: true });
    await service.said('started');
    service.process.kill('SIGINT');
    service.process.disconnect();
    await expect(service.closed).resolves.toBe(0);
    expect(service.out()).toBe('started\ndraining\ndrained\ndisposed\n');
  });
});
