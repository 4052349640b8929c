import { GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../domain/json.ts';
import { type StepResponse } from '../domain/step-response.ts';

/** A response whose body has not been read. */
export interface IncomingResponse {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
}

/** Headers that contain credentials. */
const SECRET_HEADERS = /^(?:set-cookie2?|cookie|(?:proxy-)?authorization|(?:proxy-)?authentication-info)$/;

/**
 * Reads a response for expressions: the body is JSON if possible, text otherwise. Replaces `secret` wherever the response contains it.
 * @throws PROVIDER_BAD_ANSWER for more than `maxBytes` bytes
 */
export async function readStepResponse(
  { statusCode, headers, body }: IncomingResponse,
  maxBytes: number,
  secret: string,
): Promise<StepResponse> {
  const text = withoutSecret(await readBounded(body, maxBytes), secret);
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const key = name.toLowerCase();
    if (value === undefined || SECRET_HEADERS.test(key)) return [];
    return [[key, withoutSecret(Array.isArray(value) ? value.join(', ') : value, secret)]];
  });
  const all = Object.fromEntries(kept) as Record<string, string>;
  return { statusCode, headers: all, body: parsed(text, all['content-type'] ?? '') };
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new GatewayError('PROVIDER_BAD_ANSWER', `the API answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a body; removes NUL from texts, as it cannot be stored. */
function parsed(text: string, contentType: string): JsonValue {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);
  if (!isJson) return text.replaceAll('\0', '');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text.replaceAll('\0', '');
  }
}

const SHORTEST_SECRET = 4;

/** Replaces a secret in a text. Ignores secrets of fewer than four characters, which would match ordinary text. */
function withoutSecret(text: string, secret: string): string {
  if (secret.length < SHORTEST_SECRET) return text;
  const inJson = JSON.stringify(secret).slice(1, -1);
  return text.replaceAll(secret, '[secret]').replaceAll(inJson, '[secret]');
}
