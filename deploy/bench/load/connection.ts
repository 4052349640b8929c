import { connect, type Socket } from 'node:net';
import { ContentScanner } from '../wire/content-scanner.ts';
import { HttpMessageReader } from '../wire/http-message.ts';

/** One answer as it came, complete. */
export interface Answer {
  status: number;
  streamed: boolean;
  done: boolean;
  pieces: number;
  textBytes: number;
  bodyBytes: number;
}

/** Whom a connection tells about the request in flight: exactly one of the last two, once. */
export interface Exchange {
  onHead?: (head: string) => void;
  onPiece?: (text: string) => void;
  onAnswer(answer: Answer): void;
  onFailure(reason: string): void;
}

// One buffer for all sockets: it is read to its end before the next read can fill it, and 1,000 idle streams cost no memory.
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024);

/** One keep-alive connection with at most one request in flight, on a plain socket: a client that costs more than the target measures itself. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader: HttpMessageReader;
  #exchange: Exchange | undefined;
  #scanner = new ContentScanner();
  #status = 0;
  #streamed = false;
  #bodyBytes = 0;
  #closed = false;

  constructor(host: string, port: number) {
    this.#reader = new HttpMessageReader({
      onHead: (head) => this.#head(head),
      onBody: (text) => {
        this.#bodyBytes += text.length;
        this.#scanner.push(text);
      },
      onEnd: () => this.#end(),
    });
    const callback = (bytes: number): boolean => {
      this.#read(READ_BUFFER.toString('latin1', 0, bytes));
      return true;
    };
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer: READ_BUFFER, callback } });
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#fail(error.code ?? error.message));
    this.#socket.on('close', () => this.#fail('connection closed'));
  }

  /** Whether a request may be sent: open (or opening) and idle. */
  get free(): boolean {
    return !this.#closed && this.#exchange === undefined;
  }

  /** Sends one rendered request; the connection must be free. */
  send(request: Buffer, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#scanner = new ContentScanner(exchange.onPiece);
    this.#bodyBytes = 0;
    this.#socket.write(request);
  }

  /** Closes the socket; a request still in flight fails. */
  close(): void {
    this.#socket.destroy();
    this.#fail('closed by the load');
  }

  #read(text: string): void {
    try {
      this.#reader.push(text);
    } catch {
      this.#fail('answer is no HTTP');
      this.#socket.destroy();
    }
  }

  #head(head: string): void {
    this.#status = Number(head.slice(9, 12));
    this.#exchange?.onHead?.(head);
    this.#streamed = /\r\ncontent-type: *text\/event-stream/i.test(head);
  }

  #end(): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    const scanner = this.#scanner;
    scanner.finish();
    exchange.onAnswer({
      status: this.#status,
      streamed: this.#streamed,
      done: scanner.done,
      pieces: scanner.pieces,
      textBytes: scanner.textBytes,
      bodyBytes: this.#bodyBytes,
    });
  }

  #fail(reason: string): void {
    this.#closed = true;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.onFailure(reason);
  }
}
