import { describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { pollUntil } from './poll-until.ts';
import { getProcessStatus } from './process-status.ts';
import { EXIT_WITH_PARENT_IMPORT, superviseNodeProcess } from './supervise-node-process.ts';

const log = pino({ level: 'silent' });
const QUICK = { firstMs: 1, maxMs: 4, healthyAfterMs: 60_000 };
const SERVICE = `process.send({ port: 7 }); process.stdout.write('one\\ntwo\\n'); process.stderr.write('warned\\n'); setInterval(() => {}, 1000);`;

const firstMessage = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

async function gone(pid: number): Promise<boolean> {
  return (
    (await pollUntil(async () => ((await getProcessStatus(pid)).running ? undefined : true), { timeoutMs: 60_000, everyMs: 20 })) ?? false
  );
}

describe('superviseNodeProcess', () => {
  it('hands over the result of waitUntilReady and every line of output', async () => {
    const lines: string[] = [];
    const onLine = (line: string, stream: string): number => lines.push(`${stream}: ${line}`);
    const supervised = await superviseNodeProcess({
      name: 'svc',
      args: ['-e', SERVICE],
      env: {},
      log,
      waitUntilReady: firstMessage,
      onLine,
    });
    expect(supervised.current?.value).toEqual({ port: 7 });
    await pollUntil(() => (lines.length >= 3 ? true : undefined), { timeoutMs: 60_000, everyMs: 5 });
    await supervised.stop();
    expect(lines.sort()).toEqual(['stderr: warned', 'stdout: one', 'stdout: two']);
  });

  it('starts a killed child again and leaves nothing running after stop', async () => {
    const restarts: number[] = [];
    const supervised = await superviseNodeProcess({
      ...{ name: 'svc', args: ['-e', SERVICE], env: {}, log, waitUntilReady: firstMessage, backoff: QUICK },
      onRestart: (handle) => restarts.push(handle.pid),
    });
    const first = supervised.current?.pid ?? 0;
    supervised.current?.kill('SIGKILL');
    await pollUntil(() => (restarts.length > 0 ? true : undefined), { timeoutMs: 60_000, everyMs: 5 });
    expect(restarts[0]).not.toBe(first);
    await supervised.stop();
    expect(await gone(first)).toBe(true);
    expect(await gone(restarts[0] ?? 0)).toBe(true);
  });

  it('kills a child that ignores SIGTERM', async () => {
    const deaf = `process.on('SIGTERM', () => {}); ${SERVICE}`;
    const supervised = await superviseNodeProcess({
      name: 'svc',
      args: ['-e', deaf],
      env: {},
      log,
      waitUntilReady: firstMessage,
      stopTimeoutMs: 50,
    });
    const handle = supervised.current;
    await supervised.stop();
    await expect(handle?.exited).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('says in one line that a child ended before it was ready', async () => {
    const start = superviseNodeProcess({ name: 'svc', args: ['-e', 'process.exit(3)'], env: {}, log, waitUntilReady: firstMessage });
    await expect(start).rejects.toThrow('svc ended before it was ready (exit code 3)');
  });

  it('says in one line that a child was not ready in time, and ends it', async () => {
    let pid = 0;
    const waitUntilReady = async (child: ChildProcess): Promise<unknown> => {
      pid = child.pid ?? 0;
      return firstMessage(child);
    };
    const start = superviseNodeProcess({
      name: 'svc',
      args: ['-e', 'setInterval(() => {}, 1000)'],
      env: {},
      log,
      waitUntilReady,
      readyTimeoutMs: 30,
    });
    await expect(start).rejects.toThrow('svc was not ready within 30 ms');
    expect(await gone(pid)).toBe(true);
  });

  it('ends the child when its parent is killed', async () => {
    // Node cannot load TypeScript by itself, so this parent spawns as superviseNodeProcess does: same flags, same channel.
    const args = JSON.stringify(['--import', EXIT_WITH_PARENT_IMPORT, '-e', SERVICE]);
    const parent = spawn(process.execPath, [
      '-e',
      `const c = require('node:child_process').spawn(process.execPath, ${args}, { detached: true, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
       c.once('message', () => process.stdout.write(String(c.pid)));`,
    ]);
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    expect((await getProcessStatus(pid)).running).toBe(true);
    parent.kill('SIGKILL');
    expect(await gone(pid)).toBe(true);
  });
});
