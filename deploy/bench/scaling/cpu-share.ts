import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../process/loopback.ts';

/** A share is counted out this often, in µs, as Kubernetes does: a process that has used its part waits no longer than that. */
const PERIOD_MICROS = 100_000;
const GONE_MS = 10_000;

/**
 * A share of a core that one process may use at most, by a control group of version 2
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html) or of version 1
 * (https://docs.kernel.org/scheduler/sched-bwc.html).
 */
export class CpuShare {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Limits a process with all its threads to so many percent of a core. Throws where that is not allowed. */
  static async limit(pid: number, percent: number): Promise<CpuShare> {
    const micros = Math.round((PERIOD_MICROS * percent) / 100);
    const name = `parley-bench-${pid}`;
    try {
      const folder = (await hasVersion2()) ? await limit2(name, micros) : await limit1(name, micros);
      await writeFile(join(folder, 'cgroup.procs'), String(pid));
      return new CpuShare(folder);
    } catch (cause) {
      throw new Error('a share of a core needs the right to make control groups: run this as root', { cause });
    }
  }

  /** Removes the limit of a process that has ended. */
  async close(): Promise<void> {
    const remove = () =>
      rmdir(this.#folder).then(
        () => true,
        () => false,
      );
    await until(remove, GONE_MS);
  }
}

async function hasVersion2(): Promise<boolean> {
  const controllers = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').catch(() => '');
  return controllers.split(/\s+/).includes('cpu');
}

async function limit2(name: string, micros: number): Promise<string> {
  await writeFile('/sys/fs/cgroup/cgroup.subtree_control', '+cpu');
  const folder = join('/sys/fs/cgroup', name);
  await mkdir(folder);
  await writeFile(join(folder, 'cpu.max'), `${micros} ${PERIOD_MICROS}`);
  return folder;
}

async function limit1(name: string, micros: number): Promise<string> {
  const folder = join('/sys/fs/cgroup/cpu', name);
  await mkdir(folder);
  await writeFile(join(folder, 'cpu.cfs_period_us'), String(PERIOD_MICROS));
  await writeFile(join(folder, 'cpu.cfs_quota_us'), String(micros));
  return folder;
}
