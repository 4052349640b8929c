import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataDir, removeDataDir } from '../data-dir.ts';
import { watchGateway } from '../description/watch.ts';
import { type Gateway, readRunFacts, startEnvironment, type Topology } from '../parley.ts';
import { familyOf } from '../processes.ts';
import { plainEnvironment } from '../start-process.ts';
import { getComposition } from './pool.ts';

/** Gives the default composition of this jest worker in a topology; the first call of a run starts it. Throws when it does not become ready. */
export async function sharedGateway(topology: Topology): Promise<Gateway> {
  const offered = await makeDataDir();
  const { pid, env } = await getComposition(`worker ${process.env['JEST_WORKER_ID']} ${topology}`, {
    ...plainEnvironment(),
    ...startEnvironment({ topology }, offered),
  });
  const { PARLEY_DATA_DIR: dataDir = '', PARLEY_API_KEY: apiKey = '', PARLEY_OPERATOR_KEY: operatorKey = '' } = env;
  if (dataDir !== offered) await removeDataDir(offered);
  const run = await readRunFacts(dataDir);
  await watchGateway(run.url, operatorKey);
  return {
    url: run.url,
    apiKey,
    operatorKey,
    dataDir,
    run,
    pid,
    output: () => readFileSync(join(dataDir, 'terminal.log'), 'utf8'),
    log: () => readFile(join(dataDir, 'logs', 'parley.log'), 'utf8'),
    family: () => familyOf(pid),
  };
}
