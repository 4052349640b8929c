import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@parley/kit/testing/wait-for';
import { acceptsConnections, answersHttp } from '../../local/composition/answers.ts';
import { freePort } from '../../local/supervisor/ports.ts';
import { watchHouse } from './description/watch.ts';
import { type Parley } from './parley.ts';
import { familyOf } from './processes.ts';
import { runStart, type StartProcess } from './start-process.ts';

/** Second processes beside those of a house, on its database, broker and upstream. */
export interface Replicas {
  /** The house through an edge of its own, which asks the second chat-routing only. */
  second: Parley;
  /** The house through an edge that spreads its turns over both. */
  spread: Parley;
  /** The second chat-routing, which spreads its records over both conversations. */
  chatRouting: StartProcess;
  conversation: StartProcess;
  stop(): Promise<void>;
}

const START_MS = 30_000;

/** Starts a second conversation, a second chat-routing and two more edges. */
export async function startReplicas(house: Parley, env: Record<string, string>): Promise<Replicas> {
  const first = await addressesOf(house);
  const secretKeys = (await readFile(join(house.dataDir, 'secrets', 'secret-keys'), 'utf8')).trim();
  const ground = {
    ...env,
    ...first,
    DATABASE_URL: house.run.database_url,
    NATS_URL: house.run.nats_url,
    PARLEY_SECRET_KEYS: secretKeys,
    PARLEY_OPERATOR_KEY: house.operatorKey,
  };
  const started: StartProcess[] = [];
  const stop = async () => {
    for (const process of started) process.signal('SIGTERM');
    await Promise.all(started.map(({ exited }) => exited));
  };
  const start = (entry: string, own: Record<string, string>) => {
    const process = runStart({ ...ground, ...own }, [globalThis.process.execPath, entry]);
    started.push(process);
    return process;
  };
  const service = async (name: string, own: Record<string, string>) => {
    const address = `127.0.0.1:${await freePort()}`;
    const process = start(`services/${name}/dist/main.js`, { ...own, PARLEY_LISTEN: address, PARLEY_INSTANCE: `${name}-2` });
    await within(process, acceptsConnections(Number(address.split(':')[1])));
    return { address, process };
  };
  const edge = async (name: string, chatRouting: string): Promise<Parley> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const own = { PARLEY_PORT: String(port), PARLEY_INSTANCE: name, PARLEY_CHAT_ROUTING_ADDRESS: chatRouting };
    await within(
      start('edge/dist/main.js', own),
      answersHttp(`${url}/readyz`, (status) => status === 200),
    );
    await watchHouse(url, house.operatorKey);
    return { ...house, url };
  };
  try {
    const conversation = await service('conversation', {});
    const conversations = `${first.PARLEY_CONVERSATION_ADDRESS},${conversation.address}`;
    const { address, process } = await service('chat-routing', { PARLEY_CONVERSATION_ADDRESS: conversations });
    const second = await edge('edge-2', address);
    const spread = await edge('edge-3', `${first.PARLEY_CHAT_ROUTING_ADDRESS},${address}`);
    return { second, spread, chatRouting: process, conversation: conversation.process, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where the services of a house are, which only its edge knows. */
async function addressesOf(house: Parley): Promise<Record<`PARLEY_${string}_ADDRESS`, string>> {
  const edge = (await familyOf(house.pid)).find(({ commandLine }) => commandLine.includes('edge/dist/main.js'));
  const environment = (await readFile(`/proc/${edge?.pid}/environ`, 'utf8')).split('\0');
  const pairs = environment.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return Object.fromEntries(pairs.filter(([name]) => /^PARLEY_\w+_ADDRESS$/.test(name)));
}

async function within(process: StartProcess, ready: Promise<void>): Promise<void> {
  let isReady = false;
  let hasEnded = false;
  void ready.then(() => (isReady = true));
  void process.exited.then(() => (hasEnded = true));
  await waitFor(() => isReady || hasEnded, { timeoutMs: START_MS });
  if (!isReady) throw new Error(`a replica did not start:\n${process.stdout()}${process.stderr()}`);
}
