import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { descendantsOf } from '../measure/processes.ts';
import { Child } from '../process/child.ts';
import { answers, freePort, until } from '../process/loopback.ts';
import { type RunningTarget } from '../targets/target.ts';
import { CpuShare } from './cpu-share.ts';

type Env = Record<string, string>;

const READY_MS = 60_000;
/** What ties a process to the one that has started it. */
const OF_PARENT = /^NODE_(?:CHANNEL_|UNIQUE_ID)/;

/** So many edges and as many chat-routings on any core beside a running composition, which share the rest of it. */
export class Replicas {
  readonly urls: readonly string[];
  readonly edges: readonly number[];
  readonly routings: readonly number[];
  readonly #children: readonly Child[];
  #shares: CpuShare[] = [];

  private constructor(urls: readonly string[], edges: readonly Child[], routings: readonly Child[]) {
    this.urls = urls;
    this.edges = edges.map(({ pid }) => pid);
    this.routings = routings.map(({ pid }) => pid);
    this.#children = [...edges, ...routings];
  }

  /** Starts them with the settings of the composition's own, and waits until every edge is ready. */
  static async start(target: RunningTarget, count: number): Promise<Replicas> {
    const [ofEdge, ofRouting] = await Promise.all([environmentOf(target, 'edge'), environmentOf(target, 'chat-routing')]);
    const addresses = await Promise.all(Array.from({ length: count }, async () => `127.0.0.1:${await freePort()}`));
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const routings: Child[] = [];
    for (const at of addresses)
      routings.push(await start('chat-routing', { ...ofRouting, PARLEY_LISTEN: at, PARLEY_INSTANCE: `chat-routing@${at}` }));
    const edges: Child[] = [];
    for (const port of ports) {
      const own = { PARLEY_PORT: String(port), PARLEY_INSTANCE: `edge@${port}`, PARLEY_CHAT_ROUTING_ADDRESS: addresses.join() };
      edges.push(await start('edge', { ...ofEdge, ...own }));
    }
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const replicas = new Replicas(urls, edges, routings);
    const areReady = async () =>
      (await Promise.all(urls.map((url) => answers(`${url}/readyz`, (status) => status === 200)))).every(Boolean);
    if (await until(areReady, READY_MS)) return replicas;
    await replicas.stop();
    throw new Error(`replicas are not ready within ${READY_MS / 1_000} s`);
  }

  /** Limits each of them to so many percent of a core. */
  async limit({ edge, routing }: { edge: number; routing: number }): Promise<void> {
    for (const pid of this.edges) this.#shares.push(await CpuShare.limit(pid, edge));
    for (const pid of this.routings) this.#shares.push(await CpuShare.limit(pid, routing));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.stop()));
    await Promise.all(this.#shares.map((share) => share.close()));
  }
}

function start(name: string, env: Env): Promise<Child> {
  const program = fileURLToPath(new URL(`../../bundle/${name}.js`, import.meta.url));
  return Child.start(process.execPath, [program], {
    core: undefined,
    env: { ...env, PARLEY_METRICS_LISTEN: 'off', PARLEY_LAME_DUCK: '0s' },
  });
}

/** The environment of a process of the composition. */
async function environmentOf(target: RunningTarget, name: string): Promise<Env> {
  for (const pid of descendantsOf(target.pids())) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!commandLine.split('\0').some((part) => part.endsWith(`/bundle/${name}.js`))) continue;
    const pairs = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((line) => line.split(/=(.*)/s));
    return Object.fromEntries(pairs.flatMap(([key = '', value]) => (value === undefined || OF_PARENT.test(key) ? [] : [[key, value]])));
  }
  throw new Error(`the composition has no process ${name}`);
}
