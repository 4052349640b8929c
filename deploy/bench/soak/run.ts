import { type MixedJob, type Progress } from '../load/protocol.ts';
import { cpuBetween, readCpu } from '../measure/cpu.ts';
import { readPrograms } from '../measure/programs.ts';
import { type Rig, type StartedTarget } from '../run/rig.ts';
import { NotAvailable } from '../targets/target.ts';
import { judgeFlatness } from './flatness.ts';
import { soakTurns } from './mix.ts';
import { type SoakOptions } from './options.ts';
import { type SoakResults, type SoakRun, type SoakSample } from './results.ts';

type Soaked = Pick<SoakResults, 'seconds' | 'rate' | 'runs' | 'notAvailable'>;

/** Soaks one target after the other. One that cannot be had is noted and left out. */
export async function runSoak(rig: Rig, options: SoakOptions, say: (line: string) => void): Promise<Soaked> {
  const soaked: Soaked = { seconds: options.seconds, rate: options.rate, runs: [], notAvailable: {} };
  for (const target of options.targets) {
    try {
      const started = await rig.startTarget(target);
      say(`${target.name}: started`);
      soaked.runs.push(await soakTarget(rig, started, options, say));
      await rig.stopTarget(started);
    } catch (error) {
      if (!(error instanceof NotAvailable)) throw error;
      soaked.notAvailable[target.name] = error.message;
      say(`${target.name}: not available: ${error.message}`);
    }
  }
  return soaked;
}

async function soakTarget(rig: Rig, target: StartedTarget, options: SoakOptions, say: (line: string) => void): Promise<SoakRun> {
  const { url, headers, version } = target.running;
  const windowMs = options.seconds * 1000;
  const job: MixedJob = { kind: 'mixed', url, headers, perSecond: options.rate, windowMs, turns: soakTurns(target) };
  const sampler = new Sampler(target, say);
  const result = await rig.load.run(
    job,
    () => undefined,
    (progress) => sampler.take(progress),
  );
  target.answered += result.answeredEver;
  target.aborted += result.aborted;
  const verification = (await target.running.verify?.(target)) ?? { ok: false, summary: 'keeps no record' };
  say(`${target.name}: ${verification.summary}`);
  return {
    target: target.name,
    version,
    samples: sampler.samples,
    flatness: judgeFlatness(sampler.samples),
    failures: result.failures,
    verification: { target: target.name, during: 'soak', answered: target.answered, ...verification },
  };
}

const SAY_EVERY = 30;

/** Turns the load's progress into samples, one a second. */
class Sampler {
  readonly samples: SoakSample[] = [];
  readonly #target: StartedTarget;
  readonly #say: (line: string) => void;
  readonly #start = performance.now();
  #before: Progress = { answered: 0, aborted: 0, failed: 0 };
  #cpu;
  #cpuAt = performance.now();

  constructor(target: StartedTarget, say: (line: string) => void) {
    this.#target = target;
    this.#say = say;
    this.#cpu = readCpu(target.running.pids());
  }

  take(progress: Progress): void {
    const now = performance.now();
    const cpu = readCpu(this.#target.running.pids());
    const memory = readPrograms(this.#target.running.pids());
    const sample = {
      at: Math.round((now - this.#start) / 100) / 10,
      answered: progress.answered - this.#before.answered,
      aborted: progress.aborted - this.#before.aborted,
      failed: progress.failed - this.#before.failed,
      cores: Math.round(cpuBetween(this.#cpu, cpu) / (now - this.#cpuAt)) / 1000,
      memory,
    };
    [this.#before, this.#cpu, this.#cpuAt] = [progress, cpu, now];
    this.samples.push(sample);
    if (this.samples.length % SAY_EVERY === 0) this.#say(headline(this.#target.name, sample));
  }
}

function headline(target: string, { at, answered, aborted, failed, cores, memory }: SoakSample): string {
  const parts = Object.entries(memory).map(([program, { privateKib }]) => `${program} ${(privateKib / 1024).toFixed(0)} MiB`);
  return `soak ${at.toFixed(0)} s: ${target} ${answered + aborted}/s, ${failed} failed, ${cores.toFixed(2)} cores, ${parts.join(', ')}`;
}
