import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Sets the CORS headers of a response to a browser; does nothing for other clients. */
export type Cors = (req: IncomingMessage, res: ServerResponse) => void;

const EXPOSED = [
  ...['X-Service-Conversation-Id', 'X-Request-Id', 'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-Total-Count', 'Link', 'Deprecation', 'Sunset'],
].join(', ');
const PREFLIGHT_SECONDS = '600';

/** Returns CORS for the public API: the configured origins (`*` for all), without credentials. The control plane and `/me` have no CORS. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  return (req, res) => {
    const { origin } = req.headers;
    if (origin === undefined || !isCorsTarget(req.url)) return;
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

/** Returns the headers of a preflight response: the methods of the path, and the headers that the browser requested. */
export function preflightHeaders(req: IncomingMessage, allow: string): Record<string, string> {
  const asked = req.headers['access-control-request-headers'];
  return {
    'access-control-allow-methods': allow,
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Origin, Access-Control-Request-Headers',
  };
}

const OWN_SURFACES = ['/admin/', '/me/', '/openapi.json', '/openapi-me.json'];

/** True for a request target that pages of other origins may read: not of the control plane, nor of `/me`. */
export function isCorsTarget(target: string | undefined): boolean {
  if (target === undefined) return false;
  // A client may send the absolute URL (RFC 9112, section 3.2.2).
  const path = target.startsWith('/') ? target : URL.canParse(target) ? new URL(target).pathname : '';
  return path !== '' && !OWN_SURFACES.some((surface) => path.startsWith(surface));
}
