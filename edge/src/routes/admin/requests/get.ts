import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { NO_RIGHTS } from '../../../config/roles.ts';
import { hasPermission } from '../../../identity/permissions.ts';
import { type requestStory } from '../../../wire/turn-story.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { toTurnStories } from '../turn-stories.ts';

/** The path parameter with a request id, or the id of a turn. */
export const requestParams = z.object({
  request_id: z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters'),
});

/** Error codes of reading one request. */
export const REQUEST_ERRORS = ['REQUEST_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

type Params = z.output<typeof requestParams>;

/**
 * Returns a workspace of the request that the caller may read; undefined for a caller who may read all.
 * @throws GatewayError REQUEST_NOT_FOUND when the caller may read none
 */
export async function resolveRequestWorkspace({ params, principal }: Input<Params>, deps: RouteDeps): Promise<string | undefined> {
  if (mayRead(principal)) return undefined;
  const { turns } = await deps.clients.conversation.getRequest({ id: params.request_id }, { caller: principal });
  const readable = turns.find(({ workspaceId }) => mayRead(principal, workspaceId));
  if (!readable) throw new GatewayError('REQUEST_NOT_FOUND', 'no turn has this request id', { param: 'request_id' });
  return readable.workspaceId;
}

function mayRead({ actor }: Input['principal'], workspaceId?: string): boolean {
  return hasPermission(actor?.rights ?? NO_RIGHTS, 'requests.read', workspaceId);
}

/** Returns the turns of a request with their times, attempts and timeline. */
export async function getRequest({ params, principal }: Input<Params>, deps: RouteDeps): Promise<Reply<z.input<typeof requestStory>>> {
  const { turns } = await deps.clients.conversation.getRequest({ id: params.request_id }, { caller: principal });
  // Clients choose request ids, so turns of two workspaces may have the same one.
  const readable = turns.filter(({ workspaceId }) => mayRead(principal, workspaceId));
  return { body: { turns: await toTurnStories(readable, principal, deps) } };
}
