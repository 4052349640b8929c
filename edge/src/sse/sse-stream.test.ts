import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { FlushScheduler } from './flush-scheduler.ts';
import { SseStream } from './sse-stream.ts';

describe('SseStream', () => {
  let server: Server;
  let stream: SseStream | undefined;
  /** Calls that the newest stream has made. */
  let seen: { full: number; drained: number; closed: boolean };
  let stalledMs: number;

  beforeEach(async () => {
    stream = undefined;
    stalledMs = 100;
    server = createServer((_req, res) => {
      const own = { full: 0, drained: 0, closed: false };
      seen = own;
      res.on('close', () => (own.closed = true));
      const options = {
        headers: { 'x-request-id': 'r' },
        flushScheduler: new FlushScheduler(),
        pingMs: 20,
        stalledMs,
        onFull: () => own.full++,
        onDrain: () => own.drained++,
      };
      stream = new SseStream(res, options, 'data: first\n\n');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    const closed = once(server, 'close');
    server.close().closeAllConnections();
    await closed;
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  it('sends its head and first event at once, then what is written, and ends', async () => {
    const response = await fetch(url());
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    stream?.write('data: a\n\n');
    stream?.end('data: [DONE]\n\n');
    const lines = (await response.text()).replaceAll(': ping\n\n', '');
    expect(lines).toBe('data: first\n\ndata: a\n\ndata: [DONE]\n\n');
  });

  it('keeps a silent connection alive with comment lines', async () => {
    const response = await fetch(url());
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    await waitFor(async () => {
      text += (await reader?.read())?.value ?? '';
      return text.includes(': ping\n\n: ping\n\n');
    });
    await reader?.cancel();
  });

  it('says when the client is behind, and cuts off one that reads nothing', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitFor(() => stream !== undefined);
    const frame = `data: ${'x'.repeat(1_000_000)}\n\n`;
    for (let i = 0; i < 20; i++) stream?.write(frame);
    expect(seen.full).toBe(1);
    await waitFor(() => seen.closed);
    socket.destroy();
  });

  it('serves a client that reads slowly but reads, however long it takes to catch up', async () => {
    // Longer than a busy machine keeps this process from running, shorter than the client takes for everything.
    stalledMs = 3_000;
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let received = 0;
    socket.on('data', (bytes) => {
      received += bytes.length;
      socket.pause();
      setTimeout(() => socket.resume(), 15);
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitFor(() => stream !== undefined);
    const frame = `data: ${'x'.repeat(1_000_000)}\n\n`;
    for (let i = 0; i < 20; i++) stream?.write(frame);
    stream?.end('data: [DONE]\n\n');
    await waitFor(() => received > 20_000_000);
    socket.destroy();
  });
});
