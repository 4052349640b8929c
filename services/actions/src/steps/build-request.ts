import { type JsonValue } from '../domain/json.ts';
import { invalidStepError } from './step-errors.ts';
import { type StepRequest } from './step-executor.ts';

/** An HTTP request that is ready to be sent. */
export interface OutgoingRequest {
  method: string;
  url: URL;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  body: string | undefined;
}

/** Headers that documents must not set: those of the transport, and those that change the form of the response. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'keep-alive',
]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Builds the request of a step that calls an API. @throws StepError when the resolved values do not make a valid request */
export function buildRequest({
  step,
  parameters,
  payload,
  idempotencyKey,
}: StepRequest & { step: { operation: { kind: 'http' } } }): OutgoingRequest {
  const { operation, contentType, idempotencyHeader } = step;
  const given = step.parameters.flatMap(({ name, in: place }) => {
    const value = parameters[name];
    return value === undefined ? [] : [{ name, place, value }];
  });
  const of = (wanted: string) => given.filter(({ place }) => place === wanted);
  const url = fillPath(operation.url, new Map(of('path').map(({ name, value }) => [name, value])));
  for (const { name, value } of of('query')) for (const text of textsOf(value)) url.searchParams.append(name, text);
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5', 'user-agent': 'parley-actions' };
  for (const { name, value } of of('header')) setHeader(headers, name, textsOf(value).join(', '));
  const cookies = of('cookie').map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(textsOf(value).join(','))}`);
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '));
  if (idempotencyHeader !== undefined) setHeader(headers, idempotencyHeader, idempotencyKey);
  if (payload !== undefined) headers['content-type'] = contentType;
  return { method: operation.method, url, headers, body: payload === undefined ? undefined : toBody(contentType, payload) };
}

function fillPath(template: string, values: ReadonlyMap<string, JsonValue>): URL {
  const filled = template.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const text = textsOf(values.get(name) ?? '').join(',');
    // Such a segment would change the path, even with encoded dots.
    if (text === '' || text === '.' || text === '..') throw invalidStepError(`the path parameter ${name} has no usable value`);
    return encodeURIComponent(text);
  });
  if (!URL.canParse(filled)) throw invalidStepError('the step has no URL that can be called');
  return new URL(filled);
}

function setHeader(headers: Record<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  if (!HEADER_NAME.test(key) || OWN_HEADERS.has(key)) throw invalidStepError(`${key} is not a header that steps may send`);
  if (!HEADER_VALUE.test(value)) throw invalidStepError(`the value of the header ${key} cannot be sent in one`);
  headers[key] = value;
}

function toBody(contentType: string, payload: JsonValue): string {
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  if (type === 'application/x-www-form-urlencoded') return toForm(payload).toString();
  return type.startsWith('text/') && typeof payload === 'string' ? payload : JSON.stringify(payload);
}

function toForm(payload: JsonValue): URLSearchParams {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw invalidStepError('a form is sent from an object');
  const fields = Object.entries(payload as Record<string, JsonValue>);
  return new URLSearchParams(fields.flatMap(([name, value]) => textsOf(value).map((text): [string, string] => [name, text])));
}

/** Converts a value to the texts of a parameter or form field: a list to several, an object to its JSON. */
function textsOf(value: JsonValue): string[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(plain) : [plain(value)];
}

function plain(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
