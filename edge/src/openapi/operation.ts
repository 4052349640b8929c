import { type ResponseConfig, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { chatChunk } from '../routes/chat/schema.ts';
import { type RouteFacts } from '../routes/route-facts.ts';
import {
  answerHeaders,
  binaryHeaders,
  chatHeaders,
  limitHeaders,
  pageHeaders,
  partHeader,
  requestIdHeader,
  routingHeaders,
} from './components.ts';
import { describeRefusals } from './refusals.ts';

const CHAT = 'createChatCompletion';

/** A row of the table as an OpenAPI operation. */
export function describeOperation(route: RouteFacts): RouteConfig {
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    ...(route.scope && { description: `Needs the scope \`${route.scope}\`.` }),
    tags: [tagOf(route.path)],
    security: route.access === 'public' ? [] : [{ [route.access === 'operator' ? 'operatorKey' : 'apiKey']: [] }],
    request: {
      headers: headersOf(route),
      ...(route.params && { params: route.params }),
      ...(route.query && { query: route.query }),
      ...(route.body && { body: { required: true, content: { 'application/json': { schema: route.body } } } }),
      ...(route.form && { body: { required: true, content: { 'multipart/form-data': { schema: route.form } } } }),
    },
    responses: { ...(route.binary ? parts(route) : { [route.status]: success(route) }), ...describeRefusals(route) },
  };
}

const BYTES = { schema: { type: 'string' as const, format: 'binary' } };
const TEXT = { schema: { type: 'string' as const } };

/** What a file is answered with. */
function parts({ media = 'application/octet-stream' }: RouteFacts): Record<string, ResponseConfig> {
  const content = { [media]: BYTES };
  return {
    200: { description: 'The whole file; HEAD answers the same headers without it.', headers: binaryHeaders, content },
    206: { description: 'The part that the header `Range` asks for.', headers: binaryHeaders, content },
    304: { description: 'The client has it already.', headers: binaryHeaders },
  };
}

function headersOf(route: RouteFacts) {
  if (route.binary) return partHeader;
  if (route.operationId === CHAT) return routingHeaders;
  return route.headers ? requestIdHeader.extend(route.headers.shape) : requestIdHeader;
}

function success(route: RouteFacts): ResponseConfig {
  const described = answer(route);
  return route.throttle ? { ...described, headers: { ...described.headers, ...limitHeaders } } : described;
}

function answer(route: RouteFacts): ResponseConfig {
  const other = route.media && { [route.media]: route.media.startsWith('text/') ? TEXT : BYTES };
  if (!route.response) return { description: 'Done.', headers: answerHeaders, ...(other && { content: other }) };
  const json = { 'application/json': { schema: route.response }, ...other };
  if (route.operationId !== CHAT) return { description: 'The answer.', headers: route.paged ? pageHeaders : answerHeaders, content: json };
  const description =
    'The answer; with `stream: true` server-sent events, each `data: <chunk>`, the last `data: [DONE]`. ' +
    'A failure after the first event is a chunk with the lifecycle event `response.failed`, then a frame `data: {"error": …}`, then `[DONE]`.';
  return { description, headers: chatHeaders, content: { ...json, 'text/event-stream': { schema: chatChunk } } };
}

function tagOf(path: string): string {
  const [first = '', second = ''] = path.slice(1).split('/');
  if (first === 'admin') return 'operator';
  return first === 'v1' ? second : 'service';
}
