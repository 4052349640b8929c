import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type Connection, type ListConnectionsRequest, type ListConnectionsResponse } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';

/**
 * RPC ListConnections: a page of the workspace's connections that match the filters, oldest first, with status and health. Pages by offset,
 * or by cursor when one is given (empty for the first page).
 *
 * @throws VALIDATION_ERROR for an invalid cursor.
 */
export async function listConnections(
  { connections }: Deps,
  request: ListConnectionsRequest,
  call: Call,
): Promise<ListConnectionsResponse> {
  const { provider, status, search = '', limit, offset, cursor } = request;
  const all = (await connections.listAll(call.caller.workspaceId)).map((connection) => connection.toMessage());
  const matching = all.filter(
    (connection) => (!provider || connection.provider === provider) && (!status || connection.status === status) && has(connection, search),
  );
  if (cursor === undefined) return { connections: matching.slice(offset, offset + limit), total: matching.length };
  const after = cursor === '' ? undefined : fromCursor(cursor);
  const rest = after ? matching.filter((connection) => isBehind(after, connection)) : matching;
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  return { connections: page, total: matching.length, ...(last && { nextCursor: toCursor(last) }) };
}

function has({ id, label, provider }: Connection, search: string): boolean {
  const text = search.toLowerCase();
  return id === text || label.toLowerCase().includes(text) || provider.toLowerCase().includes(text);
}

interface Place {
  at: number;
  id: string;
}

function placeOf({ createdAt, id }: Connection): Place {
  return { at: createdAt?.getTime() ?? 0, id };
}

function isBehind(after: Place, connection: Connection): boolean {
  const { at, id } = placeOf(connection);
  return at === after.at ? id > after.id : at > after.at;
}

function toCursor(connection: Connection): string {
  const { at, id } = placeOf(connection);
  return `${at}.${id}`;
}

function fromCursor(text: string): Place {
  const [, at = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  if (!isUuid(id)) throw new GatewayError('VALIDATION_ERROR', 'cursor: must be a cursor of this list', { param: 'cursor' });
  return { at: Number(at), id };
}
