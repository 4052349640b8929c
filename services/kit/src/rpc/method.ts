/** The shape of an RPC in ts-proto's output (outputServices=grpc-js); all other types are inferred from it. */
export interface Method {
  path: string;
  requestStream: boolean;
  responseStream: boolean;
  // Method syntax on purpose: parameters stay bivariant, so a concrete method is assignable to this one.
  requestSerialize(this: void, value: unknown): Buffer;
  requestDeserialize(this: void, bytes: Buffer): unknown;
  responseSerialize(this: void, value: unknown): Buffer;
  responseDeserialize(this: void, bytes: Buffer): unknown;
}

/** A contract: every RPC of one service by name. */
export type Contract = Readonly<Record<string, Method>>;

export type MethodRequest<M extends Method> = ReturnType<M['requestDeserialize']>;
export type MethodResponse<M extends Method> = ReturnType<M['responseDeserialize']>;

/** The messages of a multiplexed method; see parley/common/v1/frame.proto. */
interface AnyFrame {
  envelopes: { request?: unknown; response?: unknown }[];
}

type InEnvelope<M extends Method, K extends 'request' | 'response'> =
  MethodRequest<M> extends { envelopes: (infer E)[] } ? (K extends keyof E ? NonNullable<E[K]> : never) : never;

/** The request of one call of a multiplexed method. */
export type MultiplexedRequest<M extends Method> = InEnvelope<M, 'request'>;
/** A response of one call of a multiplexed method. */
export type MultiplexedResponse<M extends Method> = InEnvelope<M, 'response'>;

/** Chooses `Yes` for a multiplexed method, `No` for any other. */
export type IfMultiplexed<M extends Method, Yes, No> = MethodRequest<M> extends AnyFrame ? Yes : No;

/** Whether the messages of a method are frames: an empty message then deserializes to an empty list of envelopes. */
export function isMultiplexed(method: Method): boolean {
  if (!method.requestStream || !method.responseStream) return false;
  const empty = method.requestDeserialize(Buffer.alloc(0));
  return typeof empty === 'object' && empty !== null && 'envelopes' in empty;
}
