import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';

/** A TCP proxy that simulates network faults. Its port does not change. */
export interface FaultProxy {
  readonly port: number;
  /** Resets every connection and each new one, until `resume`. */
  cut(): void;
  /** Keeps connections open and accepts new ones but passes no byte, until `resume`. */
  pause(): void;
  /** Replaces every byte that the target sends by one that is not valid UTF-8, until `resume`. */
  garble(): void;
  /** Ends all faults; passes on what `pause` held back. */
  resume(): void;
  /** Delays each chunk in both directions by `ms` milliseconds from now on. */
  latency(ms: number): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port in front of `host:port`. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const faults = new Faults();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (faults.isCut) return void client.on('error', () => undefined).resetAndDestroy();
    const upstream = connect({ ...target, allowHalfOpen: true });
    join(client, upstream, faults, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut: () => {
      faults.isCut = true;
      reset();
    },
    pause: () => faults.hold(),
    garble: () => (faults.isGarbled = true),
    resume: () => faults.release(),
    latency: (ms) => (faults.delayMs = ms),
    close: async () => {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The current faults, shared by all connections. */
class Faults {
  isCut = false;
  isGarbled = false;
  delayMs = 0;
  #held: Promise<void> | undefined;
  #letGo: () => void = () => undefined;

  hold(): void {
    this.#held ??= new Promise((resolve) => (this.#letGo = resolve));
  }

  release(): void {
    this.isCut = false;
    this.isGarbled = false;
    this.#letGo();
    this.#held = undefined;
  }

  async pass(): Promise<void> {
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    await this.#held;
  }
}

/** A byte that never occurs in UTF-8. */
const NO_TEXT = 0xff;

class Faulty extends Transform {
  readonly #faults: Faults;
  readonly #isAnswer: boolean;

  constructor(faults: Faults, isAnswer: boolean) {
    super();
    this.#faults = faults;
    this.#isAnswer = isAnswer;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    void this.#faults.pass().then(() => done(null, this.#isAnswer && this.#faults.isGarbled ? chunk.fill(NO_TEXT) : chunk));
  }

  override _flush(done: TransformCallback): void {
    void this.#faults.pass().then(() => done());
  }
}

function join(client: Socket, upstream: Socket, faults: Faults, sockets: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.pipe(new Faulty(faults, socket === upstream)).pipe(other);
  }
}
