import { setTimeout as delay } from 'node:timers/promises';
import { type Job, type JobResult } from '../load/protocol.ts';
import { cpuBetween, type CpuReading, foreignShare, readCpu, readMachineCpu } from '../measure/cpu.ts';
import { type Rig, type StartedTarget } from './rig.ts';

/** What the processors did during one window. */
export interface WindowCpu {
  targetMicros: number;
  /** Load and mock together. */
  loadMicros: number;
  foreignShare: number;
}

interface Moment {
  at: number;
  target: CpuReading;
  load: CpuReading;
  benchMicros: number;
  machineMicros: number;
}

const IDLE_CORES = 0.1;
const IDLE_SLICE_MS = 250;
const SETTLE_MS = 120_000;

/** Runs a job, reads the CPU of all processes at the edges of its window, and calls `onEdge` there. */
export async function runMeasured(
  rig: Rig,
  target: StartedTarget,
  job: Job,
  onEdge?: (answeredInJob: number) => void,
): Promise<{ result: JobResult; cpu: WindowCpu }> {
  const moments: Moment[] = [];
  const result = await rig.load.run(job, (_, answeredEver) => {
    moments.push(moment(rig, target));
    onEdge?.(answeredEver);
  });
  target.answered += result.answeredEver;
  const [opened, closed] = moments;
  return { result, cpu: opened && closed ? between(opened, closed) : { targetMicros: 0, loadMicros: 0, foreignShare: 0 } };
}

/** Does something that is no job of the load's, and reads everybody's CPU before and after it. */
export async function measureWhile<T>(rig: Rig, target: StartedTarget, work: () => Promise<T>): Promise<{ result: T; cpu: WindowCpu }> {
  const opened = moment(rig, target);
  const result = await work();
  return { result, cpu: between(opened, moment(rig, target)) };
}

/** Waits until the target has worked off what it left for later, so that it does not disturb the next one; returns the wait in ms. */
export async function settle(target: StartedTarget): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < SETTLE_MS) {
    const before = readCpu(target.running.pids());
    await delay(IDLE_SLICE_MS);
    const cores = cpuBetween(before, readCpu(target.running.pids())) / (IDLE_SLICE_MS * 1000);
    if (cores < IDLE_CORES) break;
  }
  return performance.now() - start - IDLE_SLICE_MS;
}

function moment(rig: Rig, target: StartedTarget): Moment {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now(),
    target: readCpu(target.running.pids()),
    load: readCpu([rig.load.pid, rig.mock.pid]),
    benchMicros: user + system,
    machineMicros: readMachineCpu(),
  };
}

function between(opened: Moment, closed: Moment): WindowCpu {
  const targetMicros = cpuBetween(opened.target, closed.target);
  const loadMicros = cpuBetween(opened.load, closed.load);
  // For `direct` the target is the mock, which the load's reading holds as well.
  const everyone = new Map([...opened.load, ...opened.target]);
  const ownMicros = cpuBetween(everyone, new Map([...closed.load, ...closed.target])) + closed.benchMicros - opened.benchMicros;
  const seconds = (closed.at - opened.at) / 1000;
  return { targetMicros, loadMicros, foreignShare: foreignShare(closed.machineMicros - opened.machineMicros, ownMicros, seconds) };
}
