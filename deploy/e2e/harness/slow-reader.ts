import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CHAT } from './chat.ts';
import { type Gateway } from './parley.ts';
import { wire } from './raw-socket.ts';

/** A client that has asked for a streamed answer and reads only what a test asks for. */
export interface SlowReader {
  readonly isClosed: boolean;
  /** What it has read so far, head included. */
  readonly text: string;
  /** Reads about so many bytes more; gives how many there were. */
  read(bytes: number): number;
  close(): void;
}

/** Asks, reads the first bytes of the answer, and stops. */
export async function askAndStop({ url }: Pick<Gateway, 'url'>, key: string, body: Record<string, unknown>): Promise<SlowReader> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  let isClosed = false;
  socket.on('error', () => undefined).on('close', () => (isClosed = true));
  const json = JSON.stringify({ model: 'auto', stream: true, ...body });
  const head = [`POST ${CHAT} HTTP/1.1`, 'host: parley', `authorization: Bearer ${key}`, 'content-type: application/json'];
  socket.write(wire([...head, `content-length: ${Buffer.byteLength(json)}`], json));
  await once(socket, 'readable');
  let text = take(socket, 256);
  return {
    get isClosed() {
      return isClosed;
    },
    get text() {
      return text;
    },
    read: (bytes) => {
      const more = take(socket, bytes);
      text += more;
      return more.length;
    },
    close: () => void socket.destroy(),
  };
}

/** What is there, up to so many bytes. */
function take(socket: Socket, bytes: number): string {
  return (socket.read(Math.min(bytes, socket.readableLength)) ?? '') as string;
}
