import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Plays the private listener of a service: one file with an ETag and ranges, or whatever a test puts in place of it. */
export class BlobListener implements AsyncDisposable {
  readonly url: string;
  /** What it was asked. */
  readonly asked: IncomingMessage[] = [];
  bytes = Buffer.from('0123456789');
  type = 'image/png';
  /** Answers a request; by default with the file. */
  answer: (req: IncomingMessage, res: ServerResponse) => void = (req, res) => this.serve(req, res);
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (req, res) => {
      this.asked.push(req);
      this.answer(req, res);
    });
  }

  static async start(): Promise<BlobListener> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new BlobListener(server);
  }

  /** Connections that are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  }

  serve(req: IncomingMessage, res: ServerResponse): void {
    const etag = '"v1"';
    const size = this.bytes.length;
    if (req.headers['if-none-match'] === etag) return void res.writeHead(304, { etag }).end();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? [];
    const start = Number(first ?? 0);
    if (start >= size) return void res.writeHead(416, { 'content-range': `bytes */${size}` }).end('{"secret":"of the asset service"}');
    const end = Math.min(size - 1, last ? Number(last) : size - 1);
    res.writeHead(first === undefined ? 200 : 206, {
      'content-type': this.type,
      'content-length': end - start + 1,
      'content-disposition': 'attachment; filename="cat.png"',
      'accept-ranges': 'bytes',
      etag,
      'set-cookie': 'secret=1',
      'x-internal': 'secret',
      ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${size}` }),
    });
    res.end(req.method === 'HEAD' ? undefined : this.bytes.subarray(start, end + 1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
