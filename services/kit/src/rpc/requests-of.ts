import { type Readable } from 'node:stream';
import { GatewayError } from '@parley/protos/errors';
import { type Call } from './call.ts';
import { END } from './end-mark.ts';

/** The requests of a stream, up to its end mark. A caller who gives up before it ends them with the reason. */
export async function* requestsOf(raw: Readable, { signal }: Pick<Call, 'signal'>): AsyncGenerator<unknown> {
  // A plain `for await` over a duplex destroys it at the end of input, and the reply with it.
  const source = raw.iterator({ destroyOnReturn: false });
  let giveUp: (reason: unknown) => void = () => undefined;
  const leave = () => giveUp(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      // Not a race against one promise for the whole stream: that would keep every request until the stream is over.
      const item = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        giveUp = reject;
        source.next().then(resolve, reject);
      });
      signal.throwIfAborted();
      if (item.done) throw brokenOff();
      if (item.value === END) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function brokenOff(): GatewayError {
  return new GatewayError('CANCELLED', 'the caller gave up');
}
