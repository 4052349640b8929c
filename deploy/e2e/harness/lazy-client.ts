import { connect, type Socket } from 'node:net';
import { CHAT } from './chat.ts';
import { type Gateway } from './parley.ts';

/** A client of a streamed answer that reads only as much as a test asks for. */
export class LazyClient {
  readonly #socket: Socket;
  #text = '';

  /** Asks for a stream and reads nothing of it. */
  constructor(gateway: Pick<Gateway, 'url'>, apiKey: string, say: string) {
    const { hostname, port } = new URL(gateway.url);
    const body = JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: say }] });
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.#socket.on('error', () => undefined);
    this.#socket.setEncoding('utf8').pause();
    const head = [`POST ${CHAT} HTTP/1.1`, `host: ${hostname}`, `authorization: Bearer ${apiKey}`, 'content-type: application/json'];
    this.#socket.write(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Characters read so far. */
  get length(): number {
    return this.#text.length;
  }

  /** What was read so far. */
  get text(): string {
    return this.#text;
  }

  /** Whether the gateway has ended the connection, as far as this client has read. */
  get isOver(): boolean {
    return this.#socket.readableEnded || this.#socket.destroyed;
  }

  /** The conversation of the answer; undefined before its head was read. */
  get conversation(): string | undefined {
    return /x-service-conversation-id: (\S+)/i.exec(this.#text)?.[1];
  }

  /** Reads what is there, at most so many characters. */
  read(most: number): void {
    const size = Math.min(most, this.#socket.readableLength);
    // Reading nothing is how a paused socket is asked to look for more.
    const chunk = this.#socket.read(size || undefined) as string | null;
    this.#text += chunk ?? '';
  }

  close(): void {
    this.#socket.destroy();
  }
}
