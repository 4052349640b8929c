import createClient, { type Client } from 'openapi-fetch';
import { csrfHeaders } from './credentials.ts';
import { type paths } from './generated/me.ts';

/** The client of `/me/v1`, generated from the gateway's own description. */
export type MeClient = Client<paths>;

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

function open(headers: Record<string, string>): MeClient {
  const client = createClient<paths>({ baseUrl: location.origin, headers });
  client.use({
    onRequest({ request }) {
      if (!isRead(request.method)) for (const [name, value] of Object.entries(csrfHeaders())) request.headers.set(name, value);
      return request;
    },
  });
  return client;
}

/** The client for what belongs to the signed-in user. */
export const meClient: MeClient = open({});

const byWorkspace = new Map<string, MeClient>();

/** Returns the client for one workspace. */
export function getWorkspaceClient(workspaceId: string): MeClient {
  const client = byWorkspace.get(workspaceId) ?? open({ 'x-service-workspace': workspaceId });
  byWorkspace.set(workspaceId, client);
  return client;
}

/** `fetch` in a workspace, for what the generated client cannot do: streams and uploads. */
export function fetchInWorkspace(workspaceId: string, path: `/me/v1/${string}`, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(csrfHeaders())) headers.set(name, value);
  headers.set('x-service-workspace', workspaceId);
  return fetch(path, { ...init, headers });
}

/** Returns an address in a workspace for requests that the browser sends by itself: images, players, downloads. */
export function toWorkspaceHref(workspaceId: string, path: `/me/v1/${string}`): string {
  return `${path}${path.includes('?') ? '&' : '?'}workspace_id=${encodeURIComponent(workspaceId)}`;
}
