import type { IncomingMessage } from 'node:http';

const ID = /^[\x21-\x7e]{1,256}$/;

/** Returns the request id that the edge sends with a download; undefined without a valid one. */
export function findRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ID.test(given) ? given : undefined;
}
