import { waitFor } from '@parley/kit/testing/wait-for';
import { type Gateway } from './parley.ts';
import { familyOf, type Sighting } from './processes.ts';

/** How the parts of a gateway look in a list of processes; a gateway of one process has `parley` instead of the services. */
const PROGRAMS = {
  postgres: /\/postgres -D /,
  nats: /\/nats-server -c /,
  sandbox: bundle('sandbox'),
  parley: bundle('single'),
  edge: bundle('edge'),
  'chat-routing': bundle('chat-routing'),
  conversation: bundle('conversation'),
  usage: bundle('usage'),
  asset: bundle('asset'),
  audio: bundle('audio'),
  actions: bundle('actions'),
} as const;

function bundle(name: string): RegExp {
  return new RegExp(`/dist/bundle/${name}\\.js`);
}

/** A part of a gateway that has a process. */
export type PartName = keyof typeof PROGRAMS;

/** The process of a part. Waits until there is one: a part that died is started again. */
export function partOf(gateway: Gateway, name: PartName, other?: Sighting): Promise<Sighting> {
  return waitFor(() => gateway.family().find(({ pid, commandLine }) => pid !== other?.pid && PROGRAMS[name].test(commandLine)));
}

/** Ends a part with kill -9, and gives what it was. */
export async function killPart(gateway: Gateway, name: PartName): Promise<Sighting> {
  const part = await partOf(gateway, name);
  process.kill(part.pid, 'SIGKILL');
  return part;
}

/** Stops a process and all below it, as a machine that hangs would; the answer lets them go on. */
export async function freeze(pid: number): Promise<() => void> {
  const frozen = familyOf(pid);
  for (const process of frozen) signal(process, 'SIGSTOP');
  return () => {
    for (const process of frozen) signal(process, 'SIGCONT');
  };
}

/** How the parts of a gateway ended that did so by themselves, as its supervisor tells it. */
export async function deathsOf(gateway: Gateway): Promise<{ part: string; code: number | null; signal: string | null }[]> {
  const lines = (await gateway.log()).split('\n').filter((line) => line.includes('part died, restarting'));
  return lines.map((line) => JSON.parse(line) as { part: string; code: number | null; signal: string | null });
}

function signal({ pid }: Sighting, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // A connection's process may have ended since we looked.
  }
}
