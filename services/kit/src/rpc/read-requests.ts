import { GatewayError } from '@parley/protos/errors';
import { type Readable } from 'node:stream';
import { type Call } from './call.ts';
import { END_MARK } from './end-mark.ts';

/** Yields the requests of a stream up to its end mark. Throws the abort's reason, or CANCELLED when the stream ends without the mark. */
export async function* readRequests(raw: Readable, { signal }: Pick<Call, 'signal'>): AsyncGenerator<unknown> {
  // A plain `for await` over a duplex destroys it at the end of input, and the reply with it.
  const source = raw.iterator({ destroyOnReturn: false });
  let fail: (reason: unknown) => void = () => undefined;
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      // Not a race against one promise for the whole stream: that would keep every request in memory until the stream ends.
      const item = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        fail = reject;
        source.next().then(resolve, reject);
      });
      signal.throwIfAborted();
      if (item.done) throw interrupted();
      if (item.value === END_MARK) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function interrupted(): GatewayError {
  return new GatewayError('CANCELLED', 'the caller cancelled');
}
