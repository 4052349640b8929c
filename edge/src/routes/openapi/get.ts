import { type ServerResponse } from 'node:http';
import { type Document, publicDocument, wholeDocument } from '../../openapi/document.ts';
import { ServedText } from '../../openapi/served-text.ts';
import { type RouteDeps } from '../deps.ts';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { ANSWERED, type Input } from '../route.ts';

/** Describes a table; the table does not change while the process lives, so each is described once. */
type Describe = (routes: readonly RouteSpec[]) => Document;

const served = new Map<Describe, WeakMap<readonly RouteSpec[], ServedText>>([
  [publicDocument, new WeakMap()],
  [wholeDocument, new WeakMap()],
]);

/** The public description of the API: the data plane only (spec §9). */
export function getPublicDocument({ req }: Input, { routes }: RouteDeps, res: ServerResponse): Promise<typeof ANSWERED> {
  return send(publicDocument, routes, 'no-cache', req, res);
}

/** The description with the operator's surface. */
export function getWholeDocument({ req }: Input, { routes }: RouteDeps, res: ServerResponse): Promise<typeof ANSWERED> {
  return send(wholeDocument, routes, 'private, no-cache', req, res);
}

async function send(
  describe: Describe,
  routes: readonly RouteSpec[],
  cacheControl: string,
  req: Input['req'],
  res: ServerResponse,
): Promise<typeof ANSWERED> {
  const known = served.get(describe);
  const text = known?.get(routes) ?? serve(describe(routes), cacheControl);
  known?.set(routes, text);
  await text.send(req, res);
  return ANSWERED;
}

function serve(document: Document, cacheControl: string): ServedText {
  return new ServedText(JSON.stringify(document), 'application/json; charset=utf-8', { 'cache-control': cacheControl });
}
