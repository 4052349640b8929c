import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { waitFor } from './wait-for.ts';

describe('startFaultProxy', () => {
  let echo: Server;
  let proxy: FaultProxy;
  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await startFaultProxy({ host: '127.0.0.1', port: (echo.address() as { port: number }).port });
  });
  afterEach(async () => {
    await proxy.close();
    echo.close();
  });

  function dial(): { socket: Socket; text: () => string } {
    const socket = connect({ host: '127.0.0.1', port: proxy.port }).setEncoding('utf8');
    let text = '';
    socket.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
    return { socket, text: () => text };
  }

  it('passes bytes and the end', async () => {
    const { socket, text } = dial();
    socket.end('hello');
    await once(socket, 'close');
    expect(text()).toBe('hello');
  });

  it('resets connections, old and new, until it resumes', async () => {
    const { socket, text } = dial();
    socket.write('a');
    await waitFor(() => text() === 'a');
    proxy.cut();
    await waitFor(() => socket.closed);
    const refused = dial();
    await waitFor(() => refused.socket.closed);
    proxy.resume();
    const again = dial();
    again.socket.end('b');
    await once(again.socket, 'close');
    expect(again.text()).toBe('b');
  });

  it('holds bytes back while paused and passes them on afterwards', async () => {
    const { socket, text } = dial();
    proxy.pause();
    socket.write('late');
    await waitFor(() => socket.bytesWritten === 4);
    expect(text()).toBe('');
    proxy.resume();
    await waitFor(() => text() === 'late');
    socket.destroy();
  });

  it('garbles what the target sends until it resumes', async () => {
    const { socket, text } = dial();
    proxy.garble();
    socket.write('abc');
    await waitFor(() => text() === '\ufffd'.repeat(3));
    proxy.resume();
    socket.write('d');
    await waitFor(() => text().endsWith('d'));
    socket.destroy();
  });
});
