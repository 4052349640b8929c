import { createServer, type Server, type Socket } from 'node:net';
import { Corpus } from '../texts/corpus.ts';
import { HttpMessageReader } from '../wire/http-message.ts';
import { jsonResponse, renderStream, renderWhole, type Write } from './render.ts';
import { MODEL_NAMES, type Script, scriptOf } from './scripts.ts';

interface Plan {
  script: Script;
  whole: Write;
  stream: Write[];
  streamWithUsage: Write[];
}

const SEED = 2;
let corpus: Corpus | undefined;
const MODEL = /"model"\s*:\s*"([^"]{1,64})"/;
const STREAM = /"stream"\s*:\s*true/;
const INCLUDE_USAGE = /"include_usage"\s*:\s*true/;
const NOT_FOUND = jsonResponse(404, {
  error: { message: 'the mock has no such model or path', type: 'invalid_request_error', code: 'not_found' },
});
/** The receiver of traces takes everything. */
const TAKEN = jsonResponse(200, {});
const MODELS = jsonResponse(200, {
  object: 'list',
  data: MODEL_NAMES.map((id) => ({ id, object: 'model', created: 0, owned_by: 'bench' })),
});

/** The mock upstream: an OpenAI-style server that thinks for no time, so that what is measured is what stands before it. */
export class MockServer {
  readonly #plans = new Map<string, Plan>();
  readonly #held = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #corpus = (corpus ??= new Corpus(SEED));

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  /** Listens on a free loopback port and returns it. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  }

  /** Closes the server and every connection. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends every stream that is held open; their rest and [DONE] leave at once. */
  release(): void {
    for (const end of this.#held) end();
    this.#held.clear();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let head = '';
    let body = '';
    const reader = new HttpMessageReader({
      onHead: (text) => {
        head = text;
        body = '';
      },
      onBody: (text) => (body = body === '' ? text : body + text),
      onEnd: () => this.#answer(socket, head, body),
    });
    socket.on('data', (data: Buffer) => reader.push(data.toString('latin1')));
    socket.on('close', () => this.#sockets.delete(socket));
    // A target that closes or resets its connection is no business of the mock; the load sees what it lost.
    socket.on('error', () => socket.destroy());
  }

  #answer(socket: Socket, head: string, body: string): void {
    if (head.startsWith('GET /v1/models ')) {
      socket.write(MODELS);
      return;
    }
    if (head.startsWith('POST /v1/traces ')) {
      socket.write(TAKEN);
      return;
    }
    const plan = head.startsWith('POST /v1/chat/completions ') ? this.#plan(MODEL.exec(body)?.[1] ?? '') : undefined;
    if (!plan) socket.write(NOT_FOUND);
    else if (plan.script.delayMs > 0) setTimeout(() => this.#play(socket, plan, body), plan.script.delayMs);
    else this.#play(socket, plan, body);
  }

  #play(socket: Socket, plan: Plan, body: string): void {
    const start = this.#corpus.next();
    if (STREAM.test(body)) this.#next(socket, plan.script, start, INCLUDE_USAGE.test(body) ? plan.streamWithUsage : plan.stream, 0);
    else socket.write(plan.whole(start));
  }

  #next(socket: Socket, script: Script, start: number, writes: Write[], at: number): void {
    const write = writes[at];
    if (write === undefined || socket.destroyed) return;
    socket.write(write(start));
    if (at + 1 === writes.length) return;
    const resume = (): void => this.#next(socket, script, start, writes, at + 1);
    if (script.held) this.#hold(resume, () => socket.write(joined(writes.slice(at + 1), start)), script.everyMs);
    else setTimeout(resume, script.everyMs);
  }

  #hold(resume: () => void, rush: () => unknown, ms: number | undefined): void {
    const release = (): void => {
      clearTimeout(timer);
      rush();
    };
    const timer = setTimeout(() => {
      this.#held.delete(release);
      resume();
    }, ms);
    this.#held.add(release);
  }

  #plan(model: string): Plan | undefined {
    const known = this.#plans.get(model);
    const script = known ? undefined : scriptOf(model);
    if (!script) return known;
    const plan = {
      script,
      whole: renderWhole(model, script, this.#corpus),
      stream: renderStream(model, script, false, this.#corpus),
      streamWithUsage: renderStream(model, script, true, this.#corpus),
    };
    this.#plans.set(model, plan);
    return plan;
  }
}

function joined(writes: readonly Write[], start: number): Buffer {
  return Buffer.concat(writes.map((write) => write(start)));
}
