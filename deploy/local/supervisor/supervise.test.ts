import { describe, expect, it } from '@jest/globals';
import { pollUntil } from './poll-until.ts';
import { type ProcessExit, type RunningProcess, type BasicLogger } from './running-process.ts';
import { supervise } from './supervise.ts';

interface FakePart extends RunningProcess {
  readonly stopped: () => boolean;
  die(exit: ProcessExit): void;
}

let nextPid = 1;

function fakePart(): FakePart {
  let die: (exit: ProcessExit) => void = () => undefined;
  let stopped = false;
  const exited = new Promise<ProcessExit>((resolve) => (die = resolve));
  return {
    pid: nextPid++,
    exited,
    stopped: () => stopped,
    die: (exit) => die(exit),
    kill: (signal) => die({ code: null, signal }),
    stop: async () => {
      stopped = true;
      die({ code: 0, signal: null });
    },
  };
}

function recorder(): { lines: { level: string; fields: Record<string, unknown>; message: string }[]; log: BasicLogger } {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const at = (level: string) => (fields: unknown, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message });
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } as unknown as BasicLogger };
}

const QUICK = { firstMs: 1, maxMs: 4, healthyAfterMs: 60_000 };

async function eventually(condition: () => boolean): Promise<void> {
  const met = await pollUntil(() => (condition() ? true : undefined), { timeoutMs: 60_000, everyMs: 2 });
  expect(met).toBe(true);
}

describe('supervise', () => {
  it('starts a process again when it dies and says so', async () => {
    const { lines, log } = recorder();
    const parts: FakePart[] = [];
    const restarted: number[] = [];
    const start = async (): Promise<FakePart> => {
      const part = fakePart();
      parts.push(part);
      return part;
    };
    const supervised = await supervise({ name: 'store', start, log, backoff: QUICK, onRestart: (part) => restarted.push(part.pid) });
    supervised.current?.kill('SIGKILL');
    await eventually(() => restarted.length === 1);
    expect(supervised.current?.pid).toBe(parts[1]?.pid);
    expect(lines).toMatchObject([
      { level: 'warn', fields: { part: 'store', code: null, signal: 'SIGKILL' }, message: 'part died, restarting' },
    ]);
    expect(typeof lines[0]?.fields['delayMs']).toBe('number');
    await supervised.stop();
    expect(parts[1]?.stopped()).toBe(true);
  });

  it('backs off further with each death that follows', async () => {
    const { lines, log } = recorder();
    const supervised = await supervise({
      name: 'store',
      start: async () => fakePart(),
      log,
      backoff: { firstMs: 4, maxMs: 1_000, healthyAfterMs: 60_000 },
    });
    for (let deaths = 1; deaths <= 3; deaths++) {
      await eventually(() => supervised.current !== undefined);
      supervised.current?.die({ code: 1, signal: null });
      await eventually(() => lines.length === deaths && supervised.current !== undefined);
    }
    const delays = lines.map(({ fields }) => Number(fields['delayMs']));
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays[2]).toBeGreaterThan(delays[0] ?? 0);
    await supervised.stop();
  });

  it('starts the back-off over after a healthy life', async () => {
    const { lines, log } = recorder();
    const supervised = await supervise({
      name: 'store',
      start: async () => fakePart(),
      log,
      backoff: { firstMs: 4, maxMs: 1_000, healthyAfterMs: 0 },
    });
    for (let deaths = 1; deaths <= 4; deaths++) {
      supervised.current?.die({ code: 1, signal: null });
      await eventually(() => lines.length === deaths && supervised.current !== undefined);
    }
    expect(Math.max(...lines.map(({ fields }) => Number(fields['delayMs'])))).toBeLessThanOrEqual(5);
    await supervised.stop();
  });

  it('keeps trying when a restart fails', async () => {
    const { lines, log } = recorder();
    let starts = 0;
    const start = async (): Promise<FakePart> => {
      starts += 1;
      if (starts === 2 || starts === 3) throw new Error('port taken');
      return fakePart();
    };
    const supervised = await supervise({ name: 'store', start, log, backoff: QUICK });
    supervised.current?.kill('SIGKILL');
    await eventually(() => starts === 4 && supervised.current !== undefined);
    expect(lines.filter(({ message }) => message === 'part did not start, trying again')).toHaveLength(2);
    await supervised.stop();
  });

  it('rejects when the very first start fails', async () => {
    const start = async (): Promise<FakePart> => {
      throw new Error('no such program');
    };
    await expect(supervise({ name: 'store', start, log: recorder().log })).rejects.toThrow('no such program');
  });

  it('does not restart a process that was stopped, nor leave one that was starting', async () => {
    const parts: FakePart[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const start = async (): Promise<FakePart> => {
      if (parts.length > 0) await gate;
      const part = fakePart();
      parts.push(part);
      return part;
    };
    const supervised = await supervise({ name: 'store', start, log: recorder().log, backoff: QUICK });
    supervised.current?.kill('SIGKILL');
    await eventually(() => supervised.current === undefined);
    const stopping = supervised.stop();
    release();
    await stopping;
    expect(parts.slice(1).every((part) => part.stopped())).toBe(true);
    expect(supervised.current).toBeUndefined();
  });
});
