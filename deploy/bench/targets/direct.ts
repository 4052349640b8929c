import { type Target } from './target.ts';

/** No target at all: the load talks to the mock. Its CPU is the mock's, and everything else is compared with it. */
export const direct: Target = {
  name: 'direct',
  async start(site) {
    return {
      url: site.upstreamUrl,
      headers: { Authorization: 'Bearer sk-bench' },
      version: 'the mock upstream itself',
      model: (name) => name,
      pids: () => [site.upstreamPid],
      stop: async () => undefined,
    };
  },
};
