import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '@parley/kit/blob/blob-store';
import type { Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { create as contentDisposition } from 'content-disposition';
import type { StoredAsset } from '../domain/asset.ts';
import type { TicketBooth } from '../domain/download-ticket.ts';
import type { Database } from '../store/database.ts';
import { findAsset } from '../store/read-assets.ts';
import { isKnown, selectRange } from './byte-range.ts';

/** What answering downloads takes. */
export interface DownloadDeps {
  database: Database;
  blobs: BlobStore;
  tickets: TicketBooth;
  log: Logger;
}

/** A ready asset with what only ready ones have. */
interface Downloadable {
  asset: StoredAsset;
  key: string;
  etag: string;
}

/**
 * Answers GET and HEAD of `/assets/{id}?ticket=…` with the bytes or a part of them. A client that goes away ends the reading.
 * @throws coded errors, all before the head is sent: ASSET_ACCESS_DENIED for a bad ticket, ASSET_NOT_FOUND, ASSET_NOT_READY
 */
export async function download(deps: DownloadDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = await admitted(deps, request);
  const { asset, etag } = file;
  const headers: OutgoingHttpHeaders = {
    etag,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-disposition': contentDisposition(asset.fileName),
  };
  const body = { ...headers, 'content-type': asset.mimeType };
  if (isKnown(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end();
  // Ranges are for GET alone (RFC 9110, 14.2).
  const selection = request.method === 'GET' ? selectRange(request.headers, asset.sizeBytes, etag) : { kind: 'whole' as const };
  switch (selection.kind) {
    case 'unsatisfiable':
      // The edge says it in words.
      return void response.writeHead(416, { ...headers, 'content-range': `bytes */${asset.sizeBytes}`, 'content-length': 0 }).end();
    case 'part': {
      const { start, end } = selection;
      const part = { ...body, 'content-range': `bytes ${start}-${end}/${asset.sizeBytes}`, 'content-length': end - start + 1 };
      return send(deps, file, request, response, { status: 206, headers: part, range: { start, end } });
    }
    case 'whole':
      return send(deps, file, request, response, { status: 200, headers: { ...body, 'content-length': asset.sizeBytes } });
  }
}

async function admitted({ database, tickets }: DownloadDeps, request: IncomingMessage): Promise<Downloadable> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://asset');
  const [, id] = /^\/assets\/([0-9a-f-]{36})$/.exec(pathname) ?? [];
  if (id === undefined) throw new GatewayError('NOT_FOUND', 'there is nothing here');
  if (!tickets.admits(id, searchParams.get('ticket') ?? '', Date.now())) {
    throw new GatewayError('ASSET_ACCESS_DENIED', 'the ticket is not good, or no longer');
  }
  const asset = await findAsset(database, id);
  if (!asset) throw new GatewayError('ASSET_NOT_FOUND', 'the asset does not exist');
  if (asset.blobKey === null || asset.sha256 === null) throw new GatewayError('ASSET_NOT_READY', `the asset is ${asset.status}`);
  return { asset, key: asset.blobKey, etag: `"${asset.sha256}"` };
}

interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  range?: { start: number; end: number };
}

/** Opens the bytes before the head is sent, so that a store that fails is a real status. */
async function send(
  { blobs, log }: DownloadDeps,
  { asset, key }: Downloadable,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, range }: Answer,
): Promise<void> {
  if (request.method === 'HEAD') return void response.writeHead(status, headers).end();
  const bytes = await blobs.getRange(key, range).catch((cause: unknown) => {
    log.error({ err: cause, assetId: asset.id }, 'the bytes of an asset could not be read');
    throw new GatewayError('SERVICE_UNAVAILABLE', 'the file cannot be read at the moment', { cause });
  });
  response.writeHead(status, headers);
  try {
    await pipeline(bytes, response);
  } catch (err) {
    // The client went away, which is its right, or the store broke off; the cut connection tells the client either way.
    if (!response.closed || bytes.errored) log.warn({ err, assetId: asset.id }, 'download broke off');
    response.destroy();
  }
}
