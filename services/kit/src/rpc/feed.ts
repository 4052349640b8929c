import { END } from './end-mark.ts';

/** The writing side of a client's gRPC stream. */
export interface Sink {
  write(value: unknown): boolean;
  end(): void;
  cancel(): void;
  on(event: 'drain' | 'status', listener: () => void): unknown;
}

/**
 * Writes a stream's requests as fast as the reader takes them, and the end mark behind the last one; stops the producer when the call is over.
 * `failed` hears what the producer threw; the call is cancelled then.
 */
export async function feed(values: AsyncIterable<unknown>, call: Sink, failed: (error: unknown) => void): Promise<void> {
  let wake: () => void = () => undefined;
  let over = false;
  call.on('drain', () => wake());
  call.on('status', () => {
    over = true;
    wake();
  });
  try {
    for await (const value of values) {
      if (over) return;
      if (!call.write(value)) await new Promise<void>((resolve) => (over ? resolve() : (wake = resolve)));
    }
    if (over) return;
    call.write(END);
    call.end();
  } catch (error) {
    failed(error);
    call.cancel();
  }
}
