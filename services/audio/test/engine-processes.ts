import { readdir, readFile } from 'node:fs/promises';

/** The engines that this process has, by their ids; one that has ended has no command line any more. */
export async function engineProcesses(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const ours = ids.map(async (id) => {
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((name) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')),
    );
    return status?.includes(`PPid:\t${process.pid}\n`) && command?.includes('speech-engine.mjs') ? [id] : [];
  });
  return (await Promise.all(ours)).flat();
}

/** Whether they can be seen here. */
export const SEES_PROCESSES = process.platform === 'linux';

/** Behind the title of a test that needs to see them: why it is skipped, where it is. */
export const UNSEEN = SEES_PROCESSES ? '' : ' (skipped: no /proc to see processes in)';
