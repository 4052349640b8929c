/** A schema of the document, or what stands where one may stand. */
type Schema = Readonly<Record<string, unknown>>;

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

/** One answer of an operation. */
export interface Described {
  headers?: Readonly<Record<string, { required?: boolean; schema: Schema }>>;
  content?: Readonly<Record<string, { schema: Schema }>>;
  'x-error-codes'?: readonly string[];
}

/** An operation of the document. */
export interface OperationObject {
  operationId: string;
  deprecated?: boolean;
  security: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, Described>>;
}

/** An OpenAPI document, as far as a test looks into it. */
export interface OpenApi {
  openapi: string;
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation and where it stands. */
export interface Place {
  template: string;
  method: string;
  operation: OperationObject;
  /** What the path says, by the names of the template. */
  params: Readonly<Record<string, string>>;
}

/** Where a piece of the document is, as JSON Schema points to it. */
export function pointer(...names: readonly string[]): string {
  return `#/${names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

/** The operation that a request is for; undefined where the document knows none. HEAD is a GET without the body. */
export function findOperation({ paths }: OpenApi, method: string, path: string): Place | undefined {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  const segments = path.split('/');
  const fitting = Object.keys(paths).flatMap((template) => {
    const params = match(template.split('/'), segments);
    return params ? [{ template, params }] : [];
  });
  // A fixed segment goes before a named one.
  const [best] = fitting.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  const operation = best && paths[best.template]?.[wanted];
  return operation && { ...best, method: wanted, operation };
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of template.entries()) {
    const segment = segments[at] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
