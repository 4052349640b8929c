import { randomUUID } from 'node:crypto';
import { type OutgoingFile } from '../file-operations.ts';

/** A multipart form to stream. `size`: its length in bytes. */
export interface MultipartForm {
  contentType: string;
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** Builds a multipart form with fields and one file, which is streamed; FormData would buffer the file in memory. */
export function toMultipartForm(fields: Readonly<Record<string, string>>, file: OutgoingFile): MultipartForm {
  const boundary = `parley-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const about = `content-disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\ncontent-type: ${file.mimeType}`;
  const head = Buffer.from(`${parts.join('')}--${boundary}\r\n${about}\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + file.size + tail.length,
    bytes: joined(head, file.bytes, tail),
  };
}

async function* joined(head: Buffer, bytes: AsyncIterable<Uint8Array>, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* bytes;
  yield tail;
}

/** Escapes a file name as browsers do. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
