import { END_MARK } from './end-mark.ts';

/** The writable side of a client's gRPC stream. */
export interface RequestSink {
  write(value: unknown): boolean;
  end(): void;
  cancel(): void;
  on(event: 'drain' | 'status', listener: () => void): unknown;
}

/**
 * Writes the requests of a stream as fast as the server reads them, and the end mark after the last one; stops the producer when the call
 * ends. When the producer throws, calls `failed` with the error and cancels the call.
 */
export async function writeRequests(values: AsyncIterable<unknown>, call: RequestSink, failed: (error: unknown) => void): Promise<void> {
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
    call.write(END_MARK);
    call.end();
  } catch (error) {
    failed(error);
    call.cancel();
  }
}
