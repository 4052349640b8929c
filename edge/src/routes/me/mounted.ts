import { type RouteSpec } from '../../openapi/route-spec.ts';
import { CHAT_ROUTE } from '../chat/route.ts';
import { type Route } from '../route.ts';

/** Mounts every operation that a key opens for signed-in people: `/v1/x` as `/me/v1/x`, with the same handlers, limits and quotas. */
export function mountForPeople(routes: readonly Route[]): Route[] {
  const ofKeys = routes.filter(({ access }) => access === 'key');
  return ofKeys.map((row) => ({ ...row, ...mountedAs(row), workspaceOf: ({ principal }) => principal.workspaceId }));
}

/** The chat of people, which streams as the chat of keys does. */
export const CHAT_OF_PEOPLE: RouteSpec = { ...CHAT_ROUTE, ...mountedAs(CHAT_ROUTE) };

/** What differs. Keys have scopes; people have roles, of which some only read. */
function mountedAs(row: RouteSpec) {
  const { path, operationId, method } = row;
  return {
    path: `/me${path}`,
    operationId: `me${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    access: 'session',
    scope: null,
    permission: method === 'get' ? 'data.read' : 'data.write',
    mounts: row,
  } as const;
}
