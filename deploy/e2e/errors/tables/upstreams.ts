import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { inATenant } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

const meeting = (fault: string, say = 'hello'): Provoke =>
  inATenant(async ({ chat, fault: order }) => {
    await order(fault);
    return chat({ say });
  });

const unreachable: Provoke = async (gateway) => {
  const { hostname, port } = new URL(gateway.run.sandbox_url);
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
    return await ask(gateway);
  } finally {
    await proxy.close();
  }
};

/** An upstream that lists a model and refuses every turn. */
const refusing =
  (status: number, code: string): Provoke =>
  async (gateway) => {
    const server = createServer((req, res) => {
      req.resume();
      const isList = req.url?.endsWith('/models') ?? false;
      const body = isList ? { data: [{ id: 'm1' }] } : { error: { code, message: code } };
      res.writeHead(isList ? 200 : status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    try {
      const ask = inATenant(async ({ chat, operator, tenant }) => {
        await operator.connect({
          provider: 'openai-compatible',
          label: 'refusing',
          workspace_id: tenant.workspaceId,
          base_url,
          api_key: 'sk-1',
        });
        return chat();
      }, []);
      return await ask(gateway);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

/** Errors of an upstream during a turn. */
export const UPSTREAMS: readonly Row[] = [
  ['PROVIDER_RATE_LIMITED', 'the upstream limits the account', meeting('rate_limited'), { waits: true }],
  ['PROVIDER_UNAVAILABLE', 'the upstream cannot be reached', unreachable],
  ['PROVIDER_BAD_ANSWER', 'the upstream answers with an error of its own', meeting('server_error')],
  ['PROVIDER_NO_CREDIT', 'the account has no credit', refusing(402, 'insufficient_quota'), { waits: true }],
  ['PROVIDER_MODEL_NOT_FOUND', 'the upstream does not know the model', refusing(404, 'model_not_found'), { param: 'model' }],
  ['PROVIDER_FORBIDDEN', 'the upstream forbids the request', refusing(403, 'not_allowed')],
  ['PROVIDER_REJECTED_REQUEST', 'the upstream rejects the request', refusing(400, 'invalid_value')],
  ['PROVIDER_TIMEOUT', 'the upstream says nothing', meeting('silent')],
  ['IMAGE_GENERATION_UNAVAILABLE', 'the upstream draws no picture', meeting('image_refused', 'draw a red circle')],
];
