import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Probe } from './pods.ts';

/** What stands in front of several edges, as nginx would: probes each of them, shares requests out, and uses connections again. */
export interface Balancer {
  readonly url: string;
  /** The edges that get requests now. */
  up(): string[];
  close(): Promise<void>;
}

/** An edge as the balancer sees it. */
interface Backend {
  url: URL;
  agent: Agent;
  isUp: boolean;
  /** Probes in a row that failed. */
  failed: number;
  live: number;
}

/** Shorter than an edge keeps an idle connection: the one that closes it is never the one that is about to be used. */
const IDLE_MS = 30_000;

/**
 * Starts a balancer over the edges at these URLs. An edge is out when its probe has failed often enough; when all of them are out, all get requests. A
 * request whose connection is refused goes to the next; no other is sent twice: whatever breaks is seen by the client.
 */
export async function startBalancer(urls: readonly string[], probe: Probe): Promise<Balancer> {
  const backends: Backend[] = urls.map((url) => {
    const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
    return { url: new URL(url), agent, isUp: false, failed: 0, live: 0 };
  });
  const stopping = new AbortController();
  await Promise.all(backends.map((backend) => look(backend, probe)));
  const probing = Promise.all(backends.map((backend) => keepLooking(backend, probe, stopping.signal)));
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => forward(backends, req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    up: () => backends.filter(({ isUp }) => isUp).map(({ url }) => url.origin),
    close: async () => {
      stopping.abort();
      await probing;
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { agent } of backends) agent.destroy();
    },
  };
}

async function keepLooking(backend: Backend, probe: Probe, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(probe.everyMs, undefined, { signal }).catch(() => undefined);
    await look(backend, probe);
  }
}

async function look(backend: Backend, { path = '/', timeoutMs, failures }: Probe): Promise<void> {
  const answer = await fetch(new URL(path, backend.url), { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
  await answer?.body?.cancel();
  backend.failed = answer?.status === 200 ? 0 : backend.failed + 1;
  backend.isUp = backend.failed === 0 || (backend.isUp && backend.failed < failures);
}

/** Sends a request to the least busy edge that is up, and has not refused it. */
function forward(backends: readonly Backend[], req: IncomingMessage, res: ServerResponse, refused: readonly Backend[] = []): void {
  const left = backends.filter((one) => !refused.includes(one));
  const up = left.filter(({ isUp }) => isUp);
  const [backend] = (up.length > 0 ? up : left).sort((one, other) => one.live - other.live || Math.random() - 0.5);
  if (!backend) return void res.writeHead(502, { 'content-type': 'text/plain' }).end('no edge takes connections');
  const { url, agent } = backend;
  const { connection: _connection, ...headers } = req.headers;
  const sent = request({ agent, host: url.hostname, port: url.port, method: req.method, path: req.url, headers });
  backend.live++;
  sent.once('close', () => backend.live--);
  sent.once('response', (answer) => {
    const { connection: _own, 'keep-alive': _idle, ...kept } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, kept);
    res.flushHeaders();
    answer.pipe(res);
    answer.once('error', () => res.destroy());
    // An answer that was cut off must not look whole.
    answer.once('close', () => answer.complete || res.destroy());
  });
  sent.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') {
      backend.isUp = false;
      return forward(backends, req, res, [...refused, backend]);
    }
    if (res.headersSent) return void res.destroy();
    res.writeHead(502, { 'content-type': 'text/plain' }).end(`the edge broke: ${error.code ?? error.message}`);
  });
  res.once('close', () => sent.destroy());
  req.pipe(sent);
}
