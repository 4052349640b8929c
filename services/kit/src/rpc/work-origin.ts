import { toSampledTraceparent } from '../telemetry/traceparent.ts';
import { type Call } from './call.ts';

/** The request that started durable work; stored in the work's row, because the work outlives the call (ADR 0055). */
export interface WorkOrigin {
  /** Written on every log line of the work; empty when it is unknown. */
  requestId: string;
  /** Parent of the work's spans; empty unless the trace of the request is sampled. */
  traceparent: string;
}

/** Returns the origin of durable work that a call starts. */
export function toWorkOrigin({ caller, traceparent }: Pick<Call, 'caller' | 'traceparent'>): WorkOrigin {
  return { requestId: caller.requestId, traceparent: toSampledTraceparent(traceparent) };
}
