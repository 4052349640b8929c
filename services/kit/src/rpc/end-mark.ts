import { type Contract, isMultiplexed, type Method } from './method.ts';

/**
 * The last message of a complete stream of requests, empty on the wire. HTTP/2 does not distinguish an interrupted stream from a
 * complete one: a peer that resets a stream may end it first, and the reset may come any time later.
 */
export const END_MARK = Symbol('parley.end');

const NOTHING = Buffer.alloc(0);

/** Serializes the requests of a stream and its end mark. A request that is empty on the wire looks like the end mark, so it fails the call. */
export function createEndMarkSerializer(method: Method): (value: unknown) => Buffer {
  return (value) => {
    if (value === END_MARK) return NOTHING;
    const bytes = method.requestSerialize(value);
    if (bytes.length === 0) throw new TypeError(`a request of ${method.path} is empty, which marks the end of the stream`);
    return bytes;
  };
}

/** Returns the contract for a server: it deserializes an empty message in a stream of requests to `END_MARK`. */
export function withEndMarks<S extends Contract>(contract: S): S {
  const marked = ([name, method]: [string, Method]): [string, Method] => {
    if (!method.requestStream || isMultiplexed(method)) return [name, method];
    return [name, { ...method, requestDeserialize: (bytes) => (bytes.length === 0 ? END_MARK : method.requestDeserialize(bytes)) }];
  };
  return Object.fromEntries(Object.entries(contract).map(marked)) as S;
}
