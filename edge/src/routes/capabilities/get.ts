import { type Abilities } from '@parley/protos/audio/v1/audio';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type z } from 'zod';
import { KEY_PREFIX } from '../../config/key-format.ts';
import { withDefaultWorkspace } from '../../middleware/principal.ts';
import { type ServiceName } from '../../readiness/readiness.ts';
import { type capabilityManifest } from '../../wire/capabilities.ts';
import { type RouteDeps } from '../deps.ts';
import { getOrigin } from '../origin.ts';
import { type Input, type Reply } from '../route.ts';
import { describeProviders } from './describe-providers.ts';
import { describeCapabilities } from './describe.ts';

const PAGE = 200;
/**
 * Time limit of the audio and actions services, in milliseconds; below the two seconds in which clients get an answer: a manifest without
 * them is better than none.
 */
const ABILITIES_MS = 1_200;

/** Returns the manifest: what the gateway supports, and what this workspace can use now. */
export async function getCapabilities({ principal, req }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof capabilityManifest>>> {
  const caller = withDefaultWorkspace(principal);
  const [connections, abilities, runsActions, { checks }] = await Promise.all([
    allConnections(deps, caller),
    abilitiesOf(deps, caller),
    canRunActions(deps, caller),
    deps.readiness.report(),
  ]);
  const isUp = (service: ServiceName) => checks[service]?.ok === true;
  const base = getOrigin(req, deps);
  return {
    body: {
      platform: 'parley',
      api_version: 'v1',
      base_url: base,
      openapi_url: `${base}/openapi-public.json`,
      docs_url: `${base}/docs-public`,
      capabilities: describeCapabilities({ connections, routes: deps.routes, abilities, runsActions, isUp }),
      providers: describeProviders(connections, abilities),
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

async function abilitiesOf({ clients, log }: RouteDeps, caller: Input['principal']): Promise<Abilities | undefined> {
  try {
    return await clients.audio.getAbilities({}, { caller, deadlineMs: ABILITIES_MS });
  } catch (err) {
    log.debug({ err, requestId: caller.requestId }, 'the manifest has nothing from the audio service');
    return undefined;
  }
}

async function canRunActions({ clients, log }: RouteDeps, caller: Input['principal']): Promise<boolean> {
  try {
    return (await clients.actions.getEligibility({}, { caller, deadlineMs: ABILITIES_MS })).enabled;
  } catch (err) {
    log.debug({ err, requestId: caller.requestId }, 'the manifest has nothing from the actions service');
    return false;
  }
}
