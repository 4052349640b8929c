import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { countHeader } from '../middleware/read-header.ts';

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Returns the error for a request head that the parser accepts and the gateway rejects: a missing or second Host header, a path that does
 * not decode, or an expectation other than 100-continue; undefined when the head is valid. Two servers that read such a request differently
 * allow request smuggling (RFC 9112, section 11.2).
 */
export function findHeadError(req: IncomingMessage): GatewayError | undefined {
  const hosts = countHeader(req.rawHeaders, 'host');
  if (hosts > 1) return new GatewayError('INVALID_REQUEST', 'two Host headers', { param: 'Host' });
  if (hosts === 0 && req.httpVersionMinor > 0) return new GatewayError('INVALID_REQUEST', 'no Host header', { param: 'Host' });
  if (req.url?.includes('%') && !decodes(req.url)) return new GatewayError('INVALID_REQUEST', 'the path is not well encoded');
  if (isUnmet(req)) return new GatewayError('INVALID_REQUEST', 'this expectation cannot be met', { param: 'Expect' });
  return undefined;
}

/** True for an expectation other than 100-continue. As in Node, HTTP/1.0 has no expectations. */
function isUnmet({ headers: { expect }, httpVersionMinor }: IncomingMessage): boolean {
  return expect !== undefined && httpVersionMinor > 0 && !CONTINUE.test(expect);
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
