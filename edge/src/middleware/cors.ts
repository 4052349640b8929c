import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Sets the CORS headers of an answer to a browser; nothing for other clients. */
export type Cors = (req: IncomingMessage, res: ServerResponse) => void;

const EXPOSED = [
  ...['X-Service-Conversation-Id', 'X-Request-Id', 'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-Total-Count', 'Link', 'Deprecation', 'Sunset'],
].join(', ');
const PREFLIGHT_SECONDS = '600';

/** CORS for the public surface: configured origins, never with credentials, none for the operator's surface. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  return (req, res) => {
    const { origin } = req.headers;
    if (origin === undefined || isOperatorSurface(req.url)) return;
    if (!any) res.setHeader('Vary', 'Origin');
    if (!any && !origins.includes(origin)) return;
    res.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  };
}

/** True for a CORS preflight request. */
export function isPreflight(req: IncomingMessage): boolean {
  return req.method === 'OPTIONS' && req.headers.origin !== undefined && req.headers['access-control-request-method'] !== undefined;
}

/** Headers of the answer to a preflight: the methods of the path, and the headers it asked for. */
export function preflightHeaders(req: IncomingMessage, allow: string): Record<string, string> {
  const asked = req.headers['access-control-request-headers'];
  return {
    'access-control-allow-methods': allow,
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Origin, Access-Control-Request-Headers',
  };
}

function isOperatorSurface(url: string | undefined): boolean {
  return url === undefined || url.startsWith('/admin/') || url.startsWith('/openapi.json');
}
