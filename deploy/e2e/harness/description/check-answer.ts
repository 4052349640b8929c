import { type Described, type OpenApi, type Place, pointer } from './document.ts';
import { type Checks } from './schemas.ts';

/** Headers that say how an answer travels, or how a browser is to take it, and not what it is. */
const TRANSPORT_HEADERS =
  /^(?:content-(?:type|length|encoding|security-policy)|date|connection|keep-alive|transfer-encoding|vary|cache-control|allow|last-modified|access-control-.*|x-content-type-options|x-accel-buffering|x-frame-options|referrer-policy|cross-origin-.*)$/;

/** An answer's first lines, and where the document describes them. */
export interface Answered {
  /** Undefined for what the document has no operation for. */
  place: Place | undefined;
  status: number;
  headers: Pick<Headers, 'get' | 'forEach'>;
}

/** The description of an answer, and where it stands. */
export interface Found {
  described: Described;
  at: readonly string[];
  /** Codes that the answer may carry; none for an answer that is no error. */
  codes: readonly string[];
}

/** The description of an answer; undefined when its status is none of those described. What is no operation may be refused as any may be. */
export function findAnswer(document: OpenApi, { place, status }: Answered): Found | undefined {
  const { template, method } = place ?? { template: '/livez', method: 'get' };
  const responses = document.paths[template]?.[method]?.responses ?? {};
  const range = `${String(status)[0]}XX`;
  const key = place && String(status) in responses ? String(status) : range;
  const described = responses[key];
  // What any request may be refused with stands beside the codes of its operation.
  const codes = [...(described?.['x-error-codes'] ?? []), ...(responses[range]?.['x-error-codes'] ?? [])];
  return described && { described, at: ['paths', template, method, 'responses', key], codes };
}

/** What is wrong with the headers of an answer. */
export function checkHeaders({ described, at }: Found, { headers }: Answered, checks: Checks): string[] {
  const known = new Map(Object.entries(described.headers ?? {}).map(([name, header]) => [name.toLowerCase(), { name, header }]));
  const wrong: string[] = [];
  headers.forEach((value, name) => {
    const entry = known.get(name);
    if (!entry) return void (TRANSPORT_HEADERS.test(name) || wrong.push(`the header ${name} is not described`));
    const read = entry.header.schema['type'] === 'integer' ? Number(value) : value;
    const problem = checks.answered(pointer(...at, 'headers', entry.name, 'schema'), read);
    if (problem) wrong.push(`the header ${name}: ${problem}`);
  });
  for (const [name, { header }] of known) if (header.required && headers.get(name) === null) wrong.push(`the header ${name} is missing`);
  return wrong;
}

/** Media type of an answer that the description has, wildcards among them; undefined for one it has not. */
export function mediaOf({ described }: Found, type: string): string | undefined {
  return Object.keys(described.content ?? {}).find(
    (media) => media === type || media === '*/*' || (media.endsWith('/*') && type.startsWith(media.slice(0, -1))),
  );
}

/** What is wrong with a JSON body, or with one event of a stream. */
export function checkJson(found: Found, media: string, value: unknown, checks: Checks): string[] {
  const wrong = checks.answered(pointer(...found.at, 'content', media, 'schema'), value);
  if (wrong) return [`the body that was answered: ${wrong}`];
  const code = codeOf(value);
  const mayHave = found.described['x-error-codes'] === undefined || code === undefined || found.codes.includes(code);
  return mayHave ? [] : [`the code ${code} is not described`];
}

function codeOf(value: unknown): string | undefined {
  const error: unknown = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
