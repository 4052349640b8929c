import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { type Provoke, type Row } from '../row.ts';
import { inATenant } from '../scene.ts';

const meeting = (fault: string, say = 'hello'): Provoke =>
  inATenant(async ({ chat, fault: order }) => {
    await order(fault);
    return chat({ say });
  });

const unreachable: Provoke = async (house) => {
  const { hostname, port } = new URL(house.run.sandbox_url);
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  try {
    const ask = inATenant(
      ({ chat }) => {
        proxy.cut();
        return chat();
      },
      ['sandbox'],
      `http://127.0.0.1:${proxy.port}`,
    );
    return await ask(house);
  } finally {
    await proxy.close();
  }
};

/** What an upstream answers a turn with, or does not (spec §6, §7). */
export const UPSTREAMS: readonly Row[] = [
  ['PROVIDER_RATE_LIMITED', 'the upstream limits the account', meeting('rate_limited'), { waits: true }],
  ['PROVIDER_UNAVAILABLE', 'the upstream cannot be reached', unreachable],
  ['PROVIDER_BAD_ANSWER', 'the upstream answers with an error of its own', meeting('server_error')],
  ['PROVIDER_TIMEOUT', 'the upstream says nothing', meeting('silent')],
  ['IMAGE_GENERATION_UNAVAILABLE', 'the upstream draws no picture', meeting('image_refused', 'draw a red circle')],
];
