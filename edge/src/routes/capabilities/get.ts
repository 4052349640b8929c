import { type IncomingMessage } from 'node:http';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type z } from 'zod';
import { KEY_PREFIX } from '../../keys/key-format.ts';
import { inWorkspace } from '../../middleware/principal.ts';
import { type manifest } from '../../wire/capabilities.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { isConnected } from './connected.ts';
import { describeCapabilities } from './describe.ts';

const PAGE = 200;

/** The manifest: what the platform can do, and what of it works for this workspace now. */
export async function getCapabilities({ principal, req }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof manifest>>> {
  const connections = await allConnections(deps, inWorkspace(principal));
  const base = deps.config.publicUrl ?? localOrigin(req);
  return {
    body: {
      platform: 'parley',
      api_version: 'v1',
      base_url: base,
      openapi_url: `${base}/openapi-public.json`,
      docs_url: `${base}/openapi-public.json`,
      capabilities: describeCapabilities(connections, deps.routes),
      providers: describeProviders(connections),
      connections: { endpoint: '/v1/connections' },
      authentication: { type: 'bearer', header: 'Authorization', key_prefix: KEY_PREFIX },
      error_format: { envelope: '{"error":{"code","message","type","param","request_id","retryable"}}' },
    },
  };
}

async function allConnections({ clients }: RouteDeps, caller: Input['principal']): Promise<Connection[]> {
  const all: Connection[] = [];
  for (;;) {
    const request = { provider: '', status: '', limit: PAGE, offset: all.length };
    const { connections, total } = await clients.chatRouting.listConnections(request, { caller });
    all.push(...connections);
    if (connections.length === 0 || all.length >= total) return all;
  }
}

function describeProviders(connections: readonly Connection[]) {
  const providers: Record<string, { connected: boolean; supports: string[] }> = {};
  for (const { provider, status, supports } of connections) {
    const known = (providers[provider] ??= { connected: false, supports: [] });
    known.connected ||= isConnected(status);
    known.supports = [...new Set([...known.supports, ...supports])].sort();
  }
  return providers;
}

/** The origin of the socket the request came to. The Host header is the client's to forge, so it is never believed. */
function localOrigin({ socket }: IncomingMessage): string {
  const address = socket.localAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  return `http://${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
}
