import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ConfigError } from '../config/config-error.ts';
import { readMetrics } from './meter.ts';

/** An HTTP listener for Prometheus scrapes. */
export interface MetricsServer {
  /** URL to scrape, such as `http://127.0.0.1:9464/metrics`. */
  url: string;
  close(): Promise<void>;
}

/** Serves `GET /metrics` at `host:port`, apart from the public port; port 0 chooses a free one. @throws ConfigError when the port is not available */
export async function serveMetrics(listen: string): Promise<MetricsServer> {
  const colon = listen.lastIndexOf(':');
  const host = listen.slice(0, colon).replace(/^\[|\]$/g, '');
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') return void res.writeHead(404).end();
    void answer(res);
  });
  // A scrape is small and local; these close idle connections.
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  server.maxConnections = 32;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new ConfigError(`PARLEY_METRICS_LISTEN: ${listen} cannot be used`, { cause })));
    server.listen(Number(listen.slice(colon + 1)), host, resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`, close: () => close(server) };
}

async function answer(res: ServerResponse): Promise<void> {
  try {
    const { contentType, text } = await readMetrics();
    res.writeHead(200, { 'content-type': contentType }).end(text);
  } catch {
    res.writeHead(500).end();
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
