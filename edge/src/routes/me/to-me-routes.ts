import { type RouteSpec } from '../../openapi/route-spec.ts';
import { CHAT_ROUTE } from '../chat/route.ts';
import { type Route } from '../route.ts';

/** Returns all operations with `key` access for signed-in people: `/v1/x` as `/me/v1/x`, with the same handlers, limits and quotas. */
export function toMeRoutes(routes: readonly Route[]): Route[] {
  const ofKeys = routes.filter(({ access }) => access === 'key');
  return ofKeys.map((row) => ({ ...row, ...mirroredAs(row), resolveWorkspace: ({ principal }) => principal.workspaceId }));
}

/** The chat route of people, which streams like that of API keys. */
export const ME_CHAT_ROUTE: RouteSpec = { ...CHAT_ROUTE, ...mirroredAs(CHAT_ROUTE) };

/** Returns the fields that differ. Keys have scopes; people have roles, some of which may only read. */
function mirroredAs(row: RouteSpec) {
  const { path, operationId, method } = row;
  return {
    path: `/me${path}`,
    operationId: `me${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    access: 'session',
    scope: null,
    permission: method === 'get' ? 'data.read' : 'data.write',
    mirrors: row,
  } as const;
}
