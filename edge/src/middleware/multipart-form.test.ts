import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EventEmitter } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { MultipartForm } from './multipart-form.ts';

const PIECE = 64 * 1_024;
const MIB = 1_024 * 1_024;
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';

/** A request whose body is made as it is read. */
function requestOf(pieces: Iterable<Buffer>) {
  const socket = new EventEmitter();
  const stream = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE });
  const req = Object.assign(stream, {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    socket,
  }) as unknown as IncomingMessage;
  return { req, socket };
}

describe('a form that is read as it arrives', () => {
  it('takes no more than a few pieces from its client while the file is not read', async () => {
    let made = 0;
    function* endless() {
      yield Buffer.from(HEAD);
      for (; made < 200; made++) yield Buffer.alloc(PIECE, 'x');
    }
    const { req } = requestOf(endless());
    const form = new MultipartForm(req, { fileBytes: 100 * MIB, idleMs: 60_000 });
    const { chunks } = await form.file;
    await waitFor(() => req.isPaused());
    expect(made * PIECE).toBeLessThan(MIB);
    let taken = 0;
    const source = chunks[Symbol.asyncIterator]();
    while (taken < 8 * MIB) taken += ((await source.next()).value as Buffer).length;
    await waitFor(() => req.isPaused());
    expect(made * PIECE - taken).toBeLessThan(MIB);
    form.close();
    await waitFor(() => made === 200);
  });

  it('lets go of the connection when it is closed', async () => {
    const { req, socket } = requestOf([Buffer.from(`${HEAD}hello\r\n--b--\r\n`)]);
    const form = new MultipartForm(req, { fileBytes: MIB, idleMs: 60_000 });
    const { chunks, fileName } = await form.file;
    const pieces: Buffer[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    expect([fileName, Buffer.concat(pieces).toString()]).toEqual(['a.bin', 'hello']);
    form.close();
    expect([socket.listenerCount('close'), req.listenerCount('data')]).toEqual([0, 0]);
    socket.emit('close');
    expect([form.failure, form.signal.aborted]).toEqual([undefined, false]);
  });

  it('fails with its client, even when all of it has arrived', async () => {
    const { req, socket } = requestOf([Buffer.from(`${HEAD}hello\r\n--b--\r\n`)]);
    const form = new MultipartForm(req, { fileBytes: MIB, idleMs: 60_000 });
    const { chunks } = await form.file;
    for await (const _ of chunks);
    socket.emit('close');
    expect([form.failure?.condition, form.signal.aborted]).toEqual(['CANCELLED', true]);
  });
});
