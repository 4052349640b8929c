import { type ServerResponse } from 'node:http';
import { type OpenApiDocument, createMeDocument, createPublicDocument, createWholeDocument } from '../../openapi/document.ts';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { StaticContent } from '../../openapi/static-content.ts';
import { type RouteDeps } from '../deps.ts';
import { RESPONSE_SENT, type Input } from '../route.ts';

/** Generates a description of the routes; cached, because the routes do not change while the process runs. */
type Describe = (routes: readonly RouteSpec[]) => OpenApiDocument;

const served = new Map<Describe, WeakMap<readonly RouteSpec[], StaticContent>>([
  [createPublicDocument, new WeakMap()],
  [createWholeDocument, new WeakMap()],
  [createMeDocument, new WeakMap()],
]);

/** Serves the public API description, without the control plane and `/me`. */
export function getPublicDocument({ req }: Input, { routes }: RouteDeps, res: ServerResponse): Promise<typeof RESPONSE_SENT> {
  return send(createPublicDocument, routes, 'no-cache', req, res);
}

/** Serves the API description of the operations of people (`/me`). */
export function getMeDocument({ req }: Input, { routes }: RouteDeps, res: ServerResponse): Promise<typeof RESPONSE_SENT> {
  return send(createMeDocument, routes, 'no-cache', req, res);
}

/** Serves the complete API description with the control plane. */
export function getWholeDocument({ req }: Input, { routes }: RouteDeps, res: ServerResponse): Promise<typeof RESPONSE_SENT> {
  return send(createWholeDocument, routes, 'private, no-cache', req, res);
}

async function send(
  describe: Describe,
  routes: readonly RouteSpec[],
  cacheControl: string,
  req: Input['req'],
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  const known = served.get(describe);
  const text = known?.get(routes) ?? serve(describe(routes), cacheControl);
  known?.set(routes, text);
  await text.send(req, res);
  return RESPONSE_SENT;
}

function serve(document: OpenApiDocument, cacheControl: string): StaticContent {
  return new StaticContent(JSON.stringify(document), 'application/json; charset=utf-8', { 'cache-control': cacheControl });
}
