import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type SandboxContext } from '../sandbox-context.ts';
import { SandboxError } from './sandbox-error.ts';

/** A request and its response, as a handler receives them. */
export interface HttpExchange {
  readonly sandbox: SandboxContext;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The path's variables, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export type Handler = (exchange: HttpExchange) => void | Promise<void>;

/** One row of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/conversations/:id` */
  readonly path: string;
  readonly handle: Handler;
}

interface Found {
  readonly handle: Handler;
  readonly params: Record<string, string>;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new SandboxError(400, 'bad_path', 'the path is not properly encoded');
  }
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = decode(segment);
    else if (part !== segment) return undefined;
  }
  return params;
}

/**
 * Returns the function that finds the route of a request; throws SandboxError 404 for an unknown path, 405 for a method that the path does
 * not support.
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Found {
  const table = routes.map((route) => ({ ...route, pattern: route.path.split('/') }));
  return (method, path) => {
    const segments = path.split('/');
    const allowed: string[] = [];
    for (const route of table) {
      if (route.pattern.length !== segments.length) continue;
      const params = match(route.pattern, segments);
      if (params === undefined) continue;
      if (route.method === method) return { handle: route.handle, params };
      allowed.push(route.method);
    }
    if (allowed.length === 0) throw new SandboxError(404, 'not_found', 'there is nothing at this path');
    throw new SandboxError(405, 'method_not_allowed', 'this path does not have this method', { Allow: allowed.join(', ') });
  };
}
