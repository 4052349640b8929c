import { type OpenApi } from './description/document.ts';
import { call } from './http.ts';
import { type Gateway } from './parley.ts';

/** An operation as the API description names it. */
interface Named {
  method: string;
  template: string;
}

/** What a gateway says of its public surface. */
export async function describedBy(gateway: Gateway): Promise<OpenApi> {
  return (await call(gateway, 'GET', '/openapi-public.json')).json as OpenApi;
}

/** Operations on paths that begin like this, as `METHOD /path`. */
export function operationsOf({ paths }: OpenApi, begin: RegExp): string[] {
  return Object.entries(paths)
    .filter(([path]) => begin.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .sort();
}

/** An operation of a suite as `METHOD /path`. */
export function nameOf({ method, template }: Named): string {
  return `${method} ${template}`;
}

/** Every code of its own that an operation may be refused with, as `409 CONVERSATION_BUSY`. */
export function codesOf({ paths }: OpenApi, { method, template }: Named): string[] {
  return Object.entries(paths[template]?.[method.toLowerCase()]?.responses ?? {})
    .filter(([status]) => /^\d{3}$/.test(status))
    .flatMap(([status, response]) => (response['x-error-codes'] ?? []).map((code) => `${status} ${code}`));
}
