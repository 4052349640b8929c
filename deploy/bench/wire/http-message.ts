/** What a reader tells its owner about one HTTP/1.1 message after another on a connection. All text is latin1: one character is one byte. */
export interface MessageListener {
  onHead(head: string): void;
  onBody(text: string): void;
  onEnd(): void;
}

type State = 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'trailer';

const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/**
 * Cuts a keep-alive connection into messages. node:http costs more than some of the targets that are measured here, so mock and load
 * read the wire themselves; both directions share this reader. A message without content-length and chunks has no body.
 */
export class HttpMessageReader {
  readonly #listener: MessageListener;
  #state: State = 'head';
  #rest = '';
  #remaining = 0;

  constructor(listener: MessageListener) {
    this.#listener = listener;
  }

  /** Takes what one read brought; throws on a chunk size that is none. */
  push(text: string): void {
    let input = this.#rest === '' ? text : this.#rest + text;
    this.#rest = '';
    while (input !== '') {
      const left = this.#step(input);
      if (left === undefined) {
        this.#rest = input;
        return;
      }
      input = left;
    }
  }

  /** Consumes the next part and returns what follows it; undefined when the part is not complete yet. */
  #step(input: string): string | undefined {
    switch (this.#state) {
      case 'head':
        return this.#head(input);
      case 'length':
        return this.#body(input, 0);
      case 'chunk-size':
        return this.#chunkSize(input);
      case 'chunk-data':
        return this.#body(input, 2);
      case 'trailer':
        return this.#trailer(input);
    }
  }

  #head(input: string): string | undefined {
    const end = input.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = input.slice(0, end);
    this.#listener.onHead(head);
    const length = CONTENT_LENGTH.exec(head);
    this.#remaining = length ? Number(length[1]) : 0;
    if (this.#remaining > 0) this.#state = 'length';
    else if (!length && CHUNKED.test(head)) this.#state = 'chunk-size';
    else this.#listener.onEnd();
    return input.slice(end + 4);
  }

  #chunkSize(input: string): string | undefined {
    const end = input.indexOf('\r\n');
    if (end < 0) return undefined;
    const size = Number.parseInt(input.slice(0, end), 16);
    if (!Number.isInteger(size) || size < 0) throw new Error(`not a chunk size: ${JSON.stringify(input.slice(0, Math.min(end, 20)))}`);
    this.#state = size === 0 ? 'trailer' : 'chunk-data';
    this.#remaining = size + 2;
    return input.slice(end + 2);
  }

  /** `framing` bytes at the end of the part (the CRLF behind a chunk) belong to no part. */
  #body(input: string, framing: number): string {
    const taken = Math.min(input.length, this.#remaining);
    const content = Math.min(taken, this.#remaining - framing);
    this.#remaining -= taken;
    if (content > 0) this.#listener.onBody(taken === content && taken === input.length ? input : input.slice(0, content));
    if (this.#remaining === 0) {
      if (framing > 0) this.#state = 'chunk-size';
      else this.#end();
    }
    return input.slice(taken);
  }

  #trailer(input: string): string | undefined {
    const end = input.indexOf('\r\n');
    if (end < 0) return undefined;
    if (end === 0) this.#end();
    return input.slice(end + 2);
  }

  #end(): void {
    this.#state = 'head';
    this.#listener.onEnd();
  }
}
