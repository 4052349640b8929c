import busboy from 'busboy';
import { type IncomingMessage } from 'node:http';
import { SandboxError } from '../http/sandbox-error.ts';

const LARGEST_FILE = 25 * 1024 * 1024;

/** A multipart form with a file. */
export interface UploadForm {
  readonly file: Buffer;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads the form of a request, with its field `file`. @throws SandboxError 400 `invalid_request`, 413 `request_too_large` */
export async function readUploadForm(req: IncomingMessage): Promise<UploadForm> {
  const fields: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let isThere = false;
  let isTooLarge = false;
  const parser = parserOf(req);
  parser.on('field', (name, value) => (fields[name] = value));
  parser.on('file', (name, stream) => {
    if (name !== 'file') return void stream.resume();
    isThere = true;
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => (isTooLarge = true));
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('close', resolve);
    parser.on('error', () => reject(invalid('the form is damaged')));
    // The client has disconnected, so no response is sent.
    req.on('close', () => {
      if (!req.complete) reject(invalid('the client went away'));
    });
    req.pipe(parser);
  });
  if (isTooLarge) throw new SandboxError(413, 'request_too_large', `the file is larger than ${LARGEST_FILE} bytes`);
  if (!isThere) throw invalid('file: is missing');
  return { file: Buffer.concat(chunks), fields };
}

function parserOf({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: { fileSize: LARGEST_FILE, files: 4, fields: 50 } });
  } catch {
    throw invalid('the body is no form');
  }
}

function invalid(message: string): SandboxError {
  return new SandboxError(400, 'invalid_request', message);
}
