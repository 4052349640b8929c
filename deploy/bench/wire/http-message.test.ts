import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpMessageReader } from './http-message.ts';

function read(parts: string[]): { heads: string[]; bodies: string[] } {
  const heads: string[] = [];
  const bodies: string[] = [];
  let body = '';
  const reader = new HttpMessageReader({
    onHead: (head) => heads.push(head),
    onBody: (text) => (body += text),
    onEnd: () => {
      bodies.push(body);
      body = '';
    },
  });
  for (const part of parts) reader.push(part);
  return { heads, bodies };
}

const WIRE =
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na;x=1\r\n0123456789\r\n0\r\n\r\n' +
  'GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n' +
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nz\r\n0\r\nX-Trailer: 1\r\n\r\n';

describe('HttpMessageReader', () => {
  it('reads messages with a length, with chunks, without a body and with a trailer', () => {
    const { heads, bodies } = read([WIRE]);
    expect(bodies).toEqual(['hello', 'abc0123456789', '', 'z']);
    expect(heads[2]).toBe('GET /v1/models HTTP/1.1\r\nHost: a');
  });

  it('reads the same wherever the reads are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: WIRE.length }), { maxLength: 20 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), WIRE.length];
        const parts = edges.slice(1).map((edge, i) => WIRE.slice(edges[i], edge));
        expect(read(parts)).toEqual(read([WIRE]));
      }),
    );
  });

  it('refuses what is no chunk size', () => {
    expect(() => read(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'])).toThrow('not a chunk size');
  });
});
