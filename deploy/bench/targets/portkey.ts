import { obtainPortkey, PORTKEY_VERSION } from '../peers/portkey.ts';
import { Child } from '../process/child.ts';
import { answers, freePort, until } from '../process/loopback.ts';
import { NotAvailable, type Target } from './target.ts';

/** Portkey's open gateway: stateless, without keys of its own and without a record. */
export const portkey: Target = {
  name: 'portkey',
  async start(site) {
    const entry = await obtainPortkey(site.cacheDir);
    const port = await freePort();
    const child = await Child.start(process.execPath, [entry, '--headless', `--port=${port}`], {
      core: site.core,
      env: { NODE_ENV: 'production' },
    });
    const url = `http://127.0.0.1:${port}`;
    if (
      !(await until(
        () => answers(url, (status) => status < 500),
        20_000,
        () => child.running,
      ))
    ) {
      await child.stop();
      throw new NotAvailable(`Portkey did not start: ${child.lastWords}`);
    }
    return {
      url,
      headers: {
        Authorization: 'Bearer sk-bench',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${site.upstreamUrl}/v1`,
      },
      version: `@portkey-ai/gateway ${PORTKEY_VERSION}`,
      model: (name) => name,
      pids: () => [child.pid],
      stop: () => child.stop(),
    };
  },
};
