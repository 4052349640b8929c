import { fileURLToPath } from 'node:url';
import { Child } from '../process/child.ts';
import { answers, freePort, until } from '../process/loopback.ts';
import { NotAvailable, type Target } from './target.ts';

// The compiled file: it runs in a process of its own.
const SERVER = fileURLToPath(new URL('./node-proxy-server.js', import.meta.url));

/** A 30-line proxy on node:http: what Node costs before a gateway does anything. */
export const nodeProxy: Target = {
  name: 'node-proxy',
  async start(site) {
    const port = await freePort();
    const child = await Child.start(process.execPath, [SERVER, site.upstreamUrl, String(port)], { core: site.core });
    const url = `http://127.0.0.1:${port}`;
    const ready = (): Promise<boolean> => answers(`${url}/v1/models`, (status) => status === 200);
    if (!(await until(ready, 10_000, () => child.running))) {
      await child.stop();
      throw new NotAvailable(`the proxy did not start: ${child.lastWords}`);
    }
    const headers = { Authorization: 'Bearer sk-bench' };
    return { url, headers, version: `node ${process.version}`, model: (name) => name, pids: () => [child.pid], stop: () => child.stop() };
  },
};
