import { waitFor } from '@parley/kit/testing/wait-for';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChartValues } from '../../helm/chart.ts';
import { getFreePort } from '../../local/supervisor/ports.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { extraProcesses, type ExtraProcesses } from './extra-processes.ts';
import { type Gateway } from './parley.ts';
import { type Pod, renderPods, servesGrpc } from './pods.ts';
import { type Exit, type StartProcess } from './start-process.ts';

type Env = Record<string, string>;

/** The components of which a cluster has two replicas. */
export type Component = 'edge' | 'chat-routing' | 'conversation';

/** A process with an address and a name that outlive it. */
export interface Member {
  readonly component: Component;
  /** Ends it with a signal, by SIGTERM as Kubernetes would, waits for its end and starts it again. Returns how it ended. */
  restart(signal?: NodeJS.Signals): Promise<Exit>;
  /** Stops it for a while, as a machine that hangs would. */
  freeze(ms: number): Promise<void>;
}

/** Two edges behind a balancer, two chat-routing and two conversation, which use the database, broker, upstream and other services of a gateway. */
export interface Cluster {
  /** The gateway through the balancer. */
  gateway: Gateway;
  balancer: Balancer;
  members: Member[];
  close(): Promise<void>;
}

/** Starts a cluster beside a gateway of topology `separate`. Environment, probes and ends of its processes are those of the pods of the chart. */
export async function startCluster(gateway: Gateway, values: ChartValues): Promise<Cluster> {
  const extra = await extraProcesses(gateway);
  const members: Member[] = [];
  try {
    const { pod } = await renderPods(values, extra.environment);
    const [routings, conversations] = [await addresses(), await addresses()];
    /** Places of this machine, instead of those in a cluster. */
    const places = {
      ...extra.addresses,
      PARLEY_CONVERSATION_ADDRESS: conversations.join(),
      PARLEY_CHAT_ROUTING_ADDRESS: routings.join(),
      PARLEY_METRICS_LISTEN: 'off',
    };
    for (const at of conversations)
      members.push(await service(extra, 'conversation', pod('conversation'), { ...places, PARLEY_LISTEN: at }));
    for (const at of routings) members.push(await service(extra, 'chat-routing', pod('chat-routing'), { ...places, PARLEY_LISTEN: at }));
    const edges: string[] = [];
    const edge = pod('edge');
    for (let n = 0; n < 2; n++) {
      const own = { ...edge.env, ...places, PARLEY_HOST: '127.0.0.1', PARLEY_PORT: String(await getFreePort()) };
      const start = () => extra.edge(`edge-${own.PARLEY_PORT}`, own);
      const { at, process } = await start();
      edges.push(at.url);
      members.push(member('edge', edge, process, start));
    }
    const balancer = await startBalancer(edges, edge.readiness);
    const isUp = () => waitFor(() => balancer.up().length === edges.length);
    await isUp();
    return {
      gateway: { ...gateway, url: balancer.url },
      balancer,
      // The next one is not restarted before the balancer uses this one again, as in a rolling upgrade.
      members: members.map((one) => ({
        component: one.component,
        restart: async (signal) => {
          const exit = await one.restart(signal);
          await isUp();
          return exit;
        },
        freeze: (ms) => one.freeze(ms),
      })),
      close: async () => {
        await balancer.close();
        await extra.stop();
      },
    };
  } catch (error) {
    await extra.stop();
    throw error;
  }
}

async function addresses(): Promise<string[]> {
  return [`127.0.0.1:${await getFreePort()}`, `127.0.0.1:${await getFreePort()}`];
}

/** A service whose name among its replicas is its address. */
async function service(extra: ExtraProcesses, name: Component, pod: Pod, places: Env & { PARLEY_LISTEN: string }): Promise<Member> {
  const start = async () => {
    const started = await extra.service(name, { ...pod.env, ...places, PARLEY_INSTANCE: `${name}@${places.PARLEY_LISTEN}` });
    await waitFor(() => servesGrpc(places.PARLEY_LISTEN));
    return started;
  };
  return member(name, pod, (await start()).process, start);
}

function member(component: Component, pod: Pod, first: StartProcess, start: () => Promise<{ process: StartProcess }>): Member {
  let current = first;
  return {
    component,
    restart: async (signal = 'SIGTERM') => {
      if (signal === 'SIGTERM') await sleep(pod.preStopMs);
      const exit = await end(current, signal, pod.graceMs);
      ({ process: current } = await start());
      return exit;
    },
    freeze: async (ms) => {
      current.signal('SIGSTOP');
      await sleep(ms);
      current.signal('SIGCONT');
    },
  };
}

/** Ends a process; one that takes too long is killed. */
async function end(process: StartProcess, signal: NodeJS.Signals, graceMs: number): Promise<Exit> {
  process.signal(signal);
  const kill = setTimeout(() => process.signal('SIGKILL'), graceMs);
  const exit = await process.exited;
  clearTimeout(kill);
  return exit;
}
