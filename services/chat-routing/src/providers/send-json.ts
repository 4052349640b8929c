import { encodePieces } from '@parley/kit/text/encode-pieces';
import { toJsonPieces, PIECE_CHARACTERS } from '@parley/kit/text/json-pieces';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { Readable } from 'node:stream';

/** An encoded JSON body and its headers. */
export interface JsonBody {
  body: string | Readable;
  headers: Readonly<Record<string, string>>;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** True for a request whose encoding at once would delay other requests. `size` is the length of its texts and inline images. */
export function isLargeRequest(size: number): boolean {
  return size > PIECE_CHARACTERS;
}

/**
 * Encodes a request as JSON and passes it to `send`: synchronously, or for a large one later, after encoding it in pieces with pauses (ADR
 * 0047). `fail` gets the error when the encoding in pieces fails.
 */
export function sendJson(request: object, size: number, send: (body: JsonBody) => void, fail: (error: GatewayError) => void): void {
  if (!isLargeRequest(size)) return send({ body: JSON.stringify(request), headers: JSON_HEADERS });
  encodePieces(toJsonPieces(request))
    .then((pieces) => send({ body: Readable.from(pieces), headers: { ...JSON_HEADERS, 'content-length': String(lengthOf(pieces)) } }))
    .catch((error: unknown) => fail(toGatewayError(error)));
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
