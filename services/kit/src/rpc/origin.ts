import { sampledOnly } from '../telemetry/traceparent.ts';
import { type Call } from './call.ts';

/** The request that durable work comes from; kept in its row, because the work outlives the call (ADR 0055). */
export interface Origin {
  /** On every log line of the work; empty when it is unknown. */
  requestId: string;
  /** Parent of the spans of the work; empty unless the trace of the request is sampled. */
  traceparent: string;
}

/** The origin of what a call starts. */
export function toOrigin({ caller, traceparent }: Pick<Call, 'caller' | 'traceparent'>): Origin {
  return { requestId: caller.requestId, traceparent: sampledOnly(traceparent) };
}
