import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { create as contentDisposition } from 'content-disposition';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type BlobStore } from '../blob/blob-store.ts';
import { type Logger } from '../log/logger.ts';
import { matchesEtag, selectRange } from './byte-range.ts';
import { type DownloadTicketSigner } from './download-ticket-signer.ts';
import { findRequestId } from './request-id.ts';

/** A file that can be downloaded. */
export interface DownloadableFile {
  /** Key of its blob. */
  key: string;
  fileName: string;
  mimeType: string;
  sizeBytes: number;
  /** SHA-256 of the bytes in hex; sent as the ETag. */
  sha256: string;
}

/** The dependencies of a download. */
export interface DownloadDeps {
  blobs: BlobStore;
  signer: DownloadTicketSigner;
  /** First part of every path: `/<folder>/<id>?ticket=…`. */
  folder: string;
  /** The error condition of an invalid ticket. */
  deniedCondition: ErrorCondition;
  /** Returns the file with this id. @throws coded errors for a file that is missing, not ready or deleted */
  requireFile: (id: string) => Promise<DownloadableFile>;
  log: Logger;
}

/**
 * Answers GET and HEAD of `/<folder>/{id}?ticket=…` with the bytes or a range of them. Stops reading when the client disconnects.
 * @throws coded errors, all before the head is sent: NOT_FOUND for another path, `deniedCondition` for a bad ticket, and the errors of
 * `requireFile`
 */
export async function serveDownload(deps: DownloadDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = await findDownload(deps, request);
  const { fileName, mimeType, sizeBytes } = file;
  const etag = `"${file.sha256}"`;
  const headers: OutgoingHttpHeaders = {
    etag,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-disposition': contentDisposition(fileName),
  };
  const body = { ...headers, 'content-type': mimeType };
  if (matchesEtag(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end();
  // Ranges are for GET alone (RFC 9110, 14.2).
  const selection = request.method === 'GET' ? selectRange(request.headers, sizeBytes, etag) : { kind: 'whole' as const };
  switch (selection.kind) {
    case 'unsatisfiable':
      // The edge writes the error body.
      return void response.writeHead(416, { ...headers, 'content-range': `bytes */${sizeBytes}`, 'content-length': 0 }).end();
    case 'part': {
      const { start, end } = selection;
      const part = { ...body, 'content-range': `bytes ${start}-${end}/${sizeBytes}`, 'content-length': end - start + 1 };
      return send(deps, file, request, response, { status: 206, headers: part, range: { start, end } });
    }
    case 'whole':
      return send(deps, file, request, response, { status: 200, headers: { ...body, 'content-length': sizeBytes } });
  }
}

async function findDownload(
  { signer, folder, deniedCondition, requireFile }: DownloadDeps,
  request: IncomingMessage,
): Promise<DownloadableFile> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://downloads');
  const [, root, id] = /^\/([a-z]+)\/([0-9a-f-]{36})$/.exec(pathname) ?? [];
  if (root !== folder || id === undefined) throw new GatewayError('NOT_FOUND', 'the path is unknown');
  if (!signer.verify(id, searchParams.get('ticket') ?? '', Date.now())) {
    throw new GatewayError(deniedCondition, 'the ticket is invalid or expired');
  }
  return requireFile(id);
}

interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  range?: { start: number; end: number };
}

/** Opens the bytes before it sends the head, so that a store failure becomes a status code. */
async function send(
  { blobs, log }: DownloadDeps,
  { key }: DownloadableFile,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, range }: Answer,
): Promise<void> {
  if (request.method === 'HEAD') return void response.writeHead(status, headers).end();
  const bytes = await blobs.getRange(key, range).catch((cause: unknown) => {
    log.error({ err: cause, key, requestId: findRequestId(request) }, 'the bytes of a download could not be read');
    throw new GatewayError('SERVICE_UNAVAILABLE', 'the file cannot be read at the moment', { cause });
  });
  response.writeHead(status, headers);
  try {
    await pipeline(bytes, response);
  } catch (err) {
    // Only a failure of the store is logged; a client may disconnect at any time. Closing the connection shows the client that the body is incomplete.
    if (!response.closed || bytes.errored) log.warn({ err, key, requestId: findRequestId(request) }, 'download interrupted');
    response.destroy();
  }
}
