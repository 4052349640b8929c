import { type Contract, isMultiplexed, type Method } from './method.ts';

/**
 * The last message of a stream of requests that is whole, empty on the wire. HTTP/2 does not tell a stream that was broken off from one
 * that is whole: who resets a stream may end it first, and the reset may come any time later.
 */
export const END = Symbol('parley.end');

const NOTHING = Buffer.alloc(0);

/** Writes requests of a stream, and its end mark. A request that is empty on the wire would be taken for it, so it fails the call. */
export function serializeMarked(method: Method): (value: unknown) => Buffer {
  return (value) => {
    if (value === END) return NOTHING;
    const bytes = method.requestSerialize(value);
    if (bytes.length === 0) throw new TypeError(`a request of ${method.path} says nothing, which only the end of the stream does`);
    return bytes;
  };
}

/** The contract as a server reads it: an empty message of a stream of requests is its end mark. */
export function readsEndMarks<S extends Contract>(contract: S): S {
  const marked = ([name, method]: [string, Method]): [string, Method] => {
    if (!method.requestStream || isMultiplexed(method)) return [name, method];
    return [name, { ...method, requestDeserialize: (bytes) => (bytes.length === 0 ? END : method.requestDeserialize(bytes)) }];
  };
  return Object.fromEntries(Object.entries(contract).map(marked)) as S;
}
