import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@parley/protos/errors';
import { countHeader } from '../middleware/read-header.ts';

/**
 * What the parser accepts and the gateway rejects: a missing or second Host header, and a path that does not decode.
 * Two servers that read such a request differently allow request smuggling (RFC 9112, section 11.2).
 */
export function inspectHead(req: IncomingMessage): GatewayError | undefined {
  const hosts = countHeader(req.rawHeaders, 'host');
  if (hosts > 1) return new GatewayError('INVALID_REQUEST', 'two Host headers', { param: 'Host' });
  if (hosts === 0 && req.httpVersionMinor > 0) return new GatewayError('INVALID_REQUEST', 'no Host header', { param: 'Host' });
  if (req.url?.includes('%') && !decodes(req.url)) return new GatewayError('INVALID_REQUEST', 'the path is not well encoded');
  return undefined;
}

function decodes(target: string): boolean {
  const end = target.indexOf('?');
  try {
    decodeURIComponent(end === -1 ? target : target.slice(0, end));
    return true;
  } catch {
    return false;
  }
}
