import { publicDocument, wholeDocument } from '../../openapi/document.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';

/** The public description of the API: the data plane only (spec §9). */
export function getPublicDocument(_input: Input, { routes }: RouteDeps): Reply<Record<string, unknown>> {
  return { body: publicDocument(routes) };
}

/** The description with the operator's surface. */
export function getWholeDocument(_input: Input, { routes }: RouteDeps): Reply<Record<string, unknown>> {
  return { body: wholeDocument(routes) };
}
