import { type IncomingMessage } from 'node:http';
import { getRequestContext } from './request-context.ts';

/** Returns the id of a request: the client's `X-Request-Id` when it is acceptable, else a generated one; the same for each call. */
export function getRequestId(req: IncomingMessage): string {
  return getRequestContext(req).id;
}
