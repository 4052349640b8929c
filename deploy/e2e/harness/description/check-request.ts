import { type Parameter, type Place, pointer } from './document.ts';
import { type Checks } from './schemas.ts';

/** What was sent. */
export interface Sent {
  method: string;
  /** Path and query. */
  target: string;
  headers: Headers;
  /** Where it is text or bytes. */
  body?: string | undefined;
}

/** What is wrong with the description of a request that was accepted: it has to allow what the gateway takes. */
export function checkRequest(place: Place, sent: Sent, checks: Checks): string[] {
  return [...checkParameters(place, sent, checks), ...checkBody(place, sent, checks)];
}

function checkParameters({ template, method, operation, params }: Place, { target, headers }: Sent, checks: Checks): string[] {
  const query = new URL(target, 'http://gateway').searchParams;
  return (operation.parameters ?? []).flatMap((parameter, at) => {
    const given = { path: params[parameter.name], query: query.get(parameter.name), header: headers.get(parameter.name) }[parameter.in];
    if (given === null || given === undefined)
      return parameter.required ? [`${parameter.name} is required, but the gateway does without`] : [];
    const value = parameter.in === 'path' ? decodeURIComponent(given) : given;
    const wrong = checks.sent(pointer('paths', template, method, 'parameters', String(at), 'schema'), read(parameter, value));
    return wrong ? [`${parameter.in} ${parameter.name}: ${wrong}`] : [];
  });
}

/** Parameters are text; their schemas tell of what. */
function read({ schema: { type } }: Parameter, text: string): unknown {
  if (type === 'integer' || type === 'number') return text === '' ? text : Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function checkBody({ template, method, operation }: Place, { headers, body }: Sent, checks: Checks): string[] {
  const content = operation.requestBody?.content;
  if (!content) return [];
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  // A form of the runtime's own gets its type on its way.
  if (type === '') return [];
  if (!(type in content)) return [`the body is ${type}, which is not described`];
  if (type !== 'application/json' || body === undefined || headers.has('content-encoding')) return [];
  const wrong = checks.sent(pointer('paths', template, method, 'requestBody', 'content', type, 'schema'), JSON.parse(body));
  return wrong ? [`the body that was sent: ${wrong}`] : [];
}
