import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { MAX_HEADER_BYTES, MAX_HEADERS } from './http/http-server.ts';
import { MAX_JSON_VALUES } from './http/run-route.ts';
import { BodyBuffer, concatPieces, SMALL_BODY_BYTES } from './middleware/body-buffer.ts';
import { isDecompressionBomb, MAX_COMPRESSION_RATIO } from './middleware/decompress-body.ts';
import { JsonStructureScanner } from './middleware/json-structure-scanner.ts';
import { parseQuery } from './middleware/parse-query.ts';
import { MAX_JSON_DEPTH, parseJson } from './middleware/read-body.ts';
import { requireSingleHeaders } from './middleware/read-header.ts';
import { validate } from './middleware/validate.ts';
import { SLICE_BYTES } from './routes/chat/large/decode-messages.ts';
import { readLargeChat } from './routes/chat/large/read-large-chat.ts';
import { parseChat } from './routes/chat/parse-chat.ts';
import { MAX_CHAT_VALUES, MAX_INLINE_JSON_VALUES } from './routes/chat/read-chat.ts';
import { ALL_ROUTES } from './routes/index.ts';

const MIB = 1_024 * 1_024;
/** Issues that may be written out for one request: each takes as long as a thousand values. */
const FEW_ISSUES = 2_000;

/** Bytes that are looked at when a text is scanned. */
function bytesRead(text: string): number {
  let read = 0;
  const bytes = new Proxy(Buffer.from(text), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read++;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  try {
    new JsonStructureScanner({ depth: MAX_JSON_DEPTH, values: MAX_CHAT_VALUES }).feed(bytes);
  } catch {
    // Some of the worst are refused.
  }
  return read;
}

/** Every array of a schema as the path to it, through objects and unions. */
function arraysOf(schema: unknown, path: string[] = []): string[][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return arraysOf(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return [path, ...arraysOf(schema.element, [...path, '0'])];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => arraysOf(option, path));
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, child]) => arraysOf(child, [...path, name]));
  return [];
}

/** A value with something at a path. */
function placed([name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === '0' ? [placed(rest, value)] : { [name]: placed(rest, value) };
}

/** Bytes of memory that buffers hold. */
function held(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}

describe('the worst that the limits allow', () => {
  describe('to scan', () => {
    const size = 100_000;
    it.each([
      ['one string', `"${'x'.repeat(size)}"`],
      ['escapes', `"${'\\u0041'.repeat(size / 6)}"`],
      ['escaped quotes', `"${'\\"'.repeat(size / 2)}"`],
      ['escaped quotes far apart', `"${`${'x'.repeat(50)}\\"`.repeat(size / 52)}"`],
      ['backslashes', `"${'\\\\'.repeat(size / 2)}"`],
      ['short strings', `[${'"x",'.repeat(size / 4)}""]`],
      ['white space', ' '.repeat(size)],
      ['nesting', '['.repeat(size)],
      ['numbers', `[${'0,'.repeat(size / 2)}0]`],
    ])('is read in one pass: %s', (_name, text) => {
      expect(bytesRead(text)).toBeLessThanOrEqual(1.2 * text.length + 10);
    });
  });

  describe('to inflate', () => {
    it('comes to no more than so many times what was sent', () => {
      const sent = 20 * 1_024;
      expect(isDecompressionBomb({ bytesWritten: sent }, MAX_COMPRESSION_RATIO * sent + 1)).toBe(true);
      expect(isDecompressionBomb({ bytesWritten: sent }, MAX_COMPRESSION_RATIO * sent)).toBe(false);
    });
  });

  describe('to gather', () => {
    it('copies each byte once, however small the pieces are', () => {
      let copied = 0;
      const piece = Buffer.alloc(1_024, 32);
      const copy = piece.copy.bind(piece);
      piece.copy = (...args) => {
        const bytes = copy(...args);
        copied += bytes;
        return bytes;
      };
      const body = new BodyBuffer();
      for (let n = 0; n < 4_096; n++) body.push(piece);
      const pieces = body.pieces();
      expect([body.size, concatPieces(pieces).length, copied]).toEqual([4 * MIB, 4 * MIB, 4 * MIB]);
      expect(held(pieces)).toBeLessThanOrEqual(4.1 * MIB);
    });

    it('copies what arrives in large pieces to the first 256 KiB only', () => {
      const piece = 64 * 1_024;
      const sent = Array.from({ length: 64 }, (_, n) => Buffer.allocUnsafeSlow(piece).fill(n));
      const body = new BodyBuffer();
      for (const one of sent) body.push(one);
      const pieces = body.pieces();
      expect(pieces.filter((one) => sent.some((arrived) => arrived === one))).toHaveLength(64 - SMALL_BODY_BYTES / piece - 1);
      expect(concatPieces(pieces).equals(Buffer.concat(sent))).toBe(true);
    });

    it('holds no more than twice its bytes in memory, each once, whatever the pieces are', () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.boolean()), { minLength: 10, maxLength: 60 }), (lengths) => {
          const body = new BodyBuffer();
          const sent = lengths.map(([length, owns], n) =>
            (owns ? Buffer.allocUnsafeSlow(length) : Buffer.alloc(length + 1).subarray(1)).fill(n),
          );
          for (const one of sent) body.push(one);
          const pieces = body.pieces();
          expect(concatPieces(pieces).equals(Buffer.concat(sent))).toBe(true);
          if (body.size <= SMALL_BODY_BYTES) return;
          expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
          expect(held(pieces)).toBeLessThanOrEqual(2 * body.size + 64 * 1_024);
        }),
      );
    });

    it('is parsed where requests are answered only when it is small in bytes and in values', () => {
      expect([SMALL_BODY_BYTES, MAX_INLINE_JSON_VALUES]).toEqual([256 * 1_024, 10_000]);
      expect(MAX_JSON_VALUES).toBeLessThanOrEqual(40_000);
    });
  });

  describe('to validate', () => {
    let issues = 0;
    beforeEach(() => {
      issues = 0;
      z.config({ customError: () => (issues++, undefined) });
    });
    afterEach(() => void z.config({ customError: undefined }));

    const bodies = ALL_ROUTES.flatMap(({ operationId, body, mirrors: mounts }) =>
      body && !mounts ? arraysOf(body).map((path) => [operationId, path.join('.'), body, path] as const) : [],
    );
    it('knows the arrays of bodies', () => {
      expect(bodies.map(([operation, path]) => `${operation} ${path}`)).toEqual(
        expect.arrayContaining(['createChatCompletion messages', 'createChatCompletion messages.0.content', 'importConversation messages']),
      );
    });

    it.each(bodies)('%s: stops early in %s, whatever its elements are', (_operation, _name, body, path) => {
      for (const bad of [{}, 7, null, [], { type: 'text' }]) {
        issues = 0;
        const values = Array.from({ length: MAX_CHAT_VALUES / 2 }, () => bad);
        expect(() => validate(body, placed(path, values), 'body')).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR' }));
        expect(issues).toBeGreaterThan(0);
        expect(issues).toBeLessThan(FEW_ISSUES);
      }
    });

    it('stops early in many arrays, each of which is short', () => {
      const content = Array.from({ length: 19 }, () => ({}));
      const messages = Array.from({ length: MAX_CHAT_VALUES / 50 }, () => ({ role: 'user', content }));
      expect(() => parseChat({ model: 'auto', messages }, {})).toThrow('messages.0.content');
      expect(issues).toBeLessThan(FEW_ISSUES);
    });
  });

  describe('to map and encode', () => {
    it('makes no more of a body than there is in it', () => {
      const content = [{ type: 'text', text: 'x' }];
      const messages = Array.from({ length: 10_000 }, () => ({ role: 'user', content }));
      const bytes = Buffer.from(JSON.stringify({ model: 'auto', messages }));
      const { encoded, turn } = readLargeChat(bytes, {});
      expect(turn.messages).toEqual([]);
      expect(encoded.bytes.length).toBeLessThan(bytes.length);
      expect(encoded.bytes.buffer.byteLength).toBeLessThanOrEqual(2 * bytes.length);
      expect(SLICE_BYTES).toBeLessThanOrEqual(MIB);
    });

    it('refuses more messages than a turn may have before it looks at one', () => {
      const messages = Array.from({ length: 10_001 }, () => ({}));
      expect(() => parseChat({ model: 'auto', messages }, {})).toThrow('messages: ');
    });

    it('looks for bad text in each value once', () => {
      let depth = '"\\u0000"';
      for (let n = 0; n < MAX_JSON_DEPTH; n++) depth = `[${depth}]`;
      expect(() => parseJson(Buffer.from(depth))).toThrow('U+0000');
    });
  });

  describe('in a head', () => {
    it('has a query of no more names than its bytes', () => {
      const target = `/v1/conversations?${Array.from({ length: MAX_HEADER_BYTES / 4 }, (_, n) => n.toString(36)).join('&')}`;
      expect(Object.keys(parseQuery(target.slice(0, MAX_HEADER_BYTES))).length).toBeLessThan(MAX_HEADER_BYTES / 2);
    });

    it('is looked through for a header only when its value may be two', () => {
      let looked = 0;
      const rawHeaders = new Proxy(
        Array.from({ length: 2 * MAX_HEADERS }, () => 'x'),
        {
          get: (target, name) => (looked++, Reflect.get(target, name) as unknown),
        },
      );
      requireSingleHeaders({ headers: { 'x-service-project': 'one' }, rawHeaders }, ['X-Service-Project', 'Idempotency-Key']);
      expect(looked).toBe(0);
      requireSingleHeaders({ headers: { 'x-service-project': 'a,b' }, rawHeaders }, ['X-Service-Project', 'Idempotency-Key']);
      expect(looked).toBeLessThan(4 * MAX_HEADERS + 4);
    });
  });
});
