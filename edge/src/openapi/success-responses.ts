import { type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { commonResponseHeaders, fileResponseHeaders, etagResponseHeaders, pageHeaders, toSuccessHeaders } from './components.ts';
import { findOperationDetails } from './details/index.ts';
import { type RouteSpec } from './route-spec.ts';

type Content = NonNullable<ResponseConfig['content']>;

const BYTES = { schema: { type: 'string' as const, format: 'binary' } };
const TEXT = { schema: { type: 'string' as const } };

/** Returns the successful responses of an operation by status. */
export function describeSuccessResponses(route: RouteSpec): Record<string, ResponseConfig> {
  if (route.binary) return describeParts(route);
  const headers = toSuccessHeaders(
    { ...(route.paged ? pageHeaders : commonResponseHeaders), ...(route.hasEtag && etagResponseHeaders) },
    route,
  );
  const content = { ...jsonOf(route), ...eventsOf(route), ...otherOf(route) };
  const description = Object.keys(content).length === 0 ? 'Done.' : 'The answer.';
  const answer = { headers, ...(description === 'The answer.' && { content }) };
  const others = (route.otherResponses ?? []).map(
    ({ status, description: why, isEmpty }) => [String(status), { description: why, ...(isEmpty ? { headers } : answer) }] as const,
  );
  const unchanged = { 304: { description: 'The client has it already.', headers } };
  return { [route.status]: { description, ...answer }, ...(route.hasEtag && unchanged), ...Object.fromEntries(others) };
}

/** Returns the responses of a file download. */
function describeParts(route: RouteSpec): Record<string, ResponseConfig> {
  const headers = toSuccessHeaders(fileResponseHeaders, route);
  const content = { [route.media ?? '*/*']: BYTES };
  return {
    200: { description: 'The whole file; HEAD returns the same headers without it.', headers, content },
    206: { description: 'The part that the header `Range` asks for.', headers, content },
    304: { description: 'The client has it already.', headers },
  };
}

function jsonOf(route: RouteSpec): Content {
  const { response } = route;
  const example = findOperationDetails(route)?.response;
  return response ? { 'application/json': { schema: response, ...(example !== undefined && { example }) } } : {};
}

/** The schema is that of one event: OpenAPI 3.1 cannot describe a sequence of them. */
function eventsOf(route: RouteSpec): Content {
  const { events } = route;
  const examples = findOperationDetails(route)?.events;
  return events ? { 'text/event-stream': { schema: events, ...(examples && { examples }) } } : {};
}

function otherOf(route: RouteSpec): Content {
  const { media } = route;
  if (!media) return {};
  const text = findOperationDetails(route)?.text;
  return { [media]: media.startsWith('text/') ? { ...TEXT, ...(text !== undefined && { example: text }) } : BYTES };
}
