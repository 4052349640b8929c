import { Metadata } from '@grpc/grpc-js';
import { Caller } from '@parley/protos/common/v1/caller';
import { SYSTEM_CALLER } from './call.ts';

const CALLER = 'parley-caller-bin';
const TRACE = 'traceparent';

/** Converts the caller and the trace context to gRPC metadata. */
export function toGrpcMetadata(caller: Caller, traceparent: string | undefined): Metadata {
  const metadata = new Metadata();
  metadata.set(CALLER, Buffer.from(Caller.encode(caller).finish()));
  if (traceparent) metadata.set(TRACE, traceparent);
  return metadata;
}

/** Parses the metadata of `toGrpcMetadata`; a call without a caller has the system caller, one without a trace an empty `traceparent`. */
export function parseGrpcMetadata(metadata: Metadata): { caller: Caller; traceparent: string } {
  const [bytes] = metadata.get(CALLER);
  const [trace] = metadata.get(TRACE);
  return {
    caller: bytes instanceof Uint8Array ? Caller.decode(bytes) : SYSTEM_CALLER,
    traceparent: typeof trace === 'string' ? trace : '',
  };
}
