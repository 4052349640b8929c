import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { obtainBinary } from '../peers/debian.ts';
import { Child } from '../process/child.ts';
import { answers, freePort, until } from '../process/loopback.ts';
import { NotAvailable, type Target } from './target.ts';

/** nginx as one process with upstream keep-alive and without buffering: the least that a proxy can cost. */
export const nginx: Target = {
  name: 'nginx',
  async start(site) {
    const binary = await obtainBinary('nginx', site.cacheDir);
    const folder = await mkdtemp(join(tmpdir(), 'parley-bench-nginx-'));
    const port = await freePort();
    const config = join(folder, 'nginx.conf');
    await writeFile(config, configuration(folder, port, new URL(site.upstreamUrl).host));
    const child = await Child.start(binary.path, ['-p', folder, '-c', config], { core: site.core, env: binary.env });
    const stop = async (): Promise<void> => {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    };
    const url = `http://127.0.0.1:${port}`;
    const ready = (): Promise<boolean> => answers(`${url}/v1/models`, (status) => status === 200);
    if (!(await until(ready, 10_000, () => child.running))) {
      await stop();
      throw new NotAvailable(`nginx did not start: ${child.lastWords}`);
    }
    const headers = { Authorization: 'Bearer sk-bench' };
    return { url, headers, version: await versionOf(binary.path, binary.env), model: (name) => name, pids: () => [child.pid], stop };
  },
};

function configuration(folder: string, port: number, upstream: string): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n');
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr warn;
worker_rlimit_nofile 8192;
events { worker_connections 8192; }
http {
  access_log off;
${temp}
  keepalive_requests 100000000;
  upstream mock { server ${upstream}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://mock;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 300s;
    }
  }
}
`;
}

async function versionOf(path: string, env: Record<string, string>): Promise<string> {
  const { stderr } = await promisify(execFile)(path, ['-v'], { env: { ...process.env, ...env } });
  return stderr.replace('nginx version: ', '').trim();
}
