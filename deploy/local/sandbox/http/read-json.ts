import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { type z } from 'zod';
import { SandboxError } from './sandbox-error.ts';

/** The largest request body in bytes. */
export const MAX_BODY_BYTES = 50 * 1024 * 1024;

function readBody(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks = [];
      // A client that is still sending does not read the response, so an oversized body is read and dropped, within limits.
      if (size > MAX_BODY_BYTES * 4) req.destroy();
    });
    req.on('end', () => {
      if (size > MAX_BODY_BYTES) reject(new SandboxError(413, 'request_too_large', `the body is larger than ${MAX_BODY_BYTES} bytes`));
      else resolve(Buffer.concat(chunks, size));
    });
    req.on('error', reject);
    req.on('close', () => {
      if (!req.complete) reject(new Error('the client went away'));
    });
  });
}

function parse(bytes: Buffer): unknown {
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Falls through to the error of a body that is not JSON.
  }
  throw new SandboxError(400, 'bad_json', 'the body is not JSON');
}

/**
 * Reads the JSON body of a request and validates it.
 * @throws SandboxError 400 `bad_json`, 400 `invalid_request`, 413 `request_too_large`
 */
export async function readJson<T extends z.ZodType>(req: IncomingMessage, schema: T): Promise<z.infer<T>> {
  const result = schema.safeParse(parse(await readBody(req)));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new SandboxError(400, 'invalid_request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}
