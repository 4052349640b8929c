import { SandboxError } from '../http/sandbox-error.ts';
import { type Fault, type FaultName } from './faults.ts';

const DEFAULT_RETRY_AFTER_SECONDS = 30;

/** Returns the error 429 `rate_limited`, with Retry-After. */
export function createRateLimitError(retryAfterSeconds: number): SandboxError {
  return new SandboxError(429, 'rate_limited', 'too many requests', { 'Retry-After': String(retryAfterSeconds) });
}

const REFUSALS: Partial<Record<FaultName, (fault: Fault) => SandboxError>> = {
  rate_limited: ({ delay_ms: delay }) => createRateLimitError(delay === undefined ? DEFAULT_RETRY_AFTER_SECONDS : Math.ceil(delay / 1000)),
  server_error: () => new SandboxError(500, 'internal_error', 'something went wrong'),
  session_expired: () => new SandboxError(401, 'session_expired', 'the session has expired'),
  conversation_deleted: () => new SandboxError(410, 'conversation_deleted', 'the conversation was deleted'),
  parent_broken: () => new SandboxError(409, 'parent_not_found', 'the parent message is not in this conversation'),
  access_lost: () => new SandboxError(403, 'conversation_access_lost', 'this account can no longer open the conversation'),
  error_mid_stream: () => new SandboxError(500, 'upstream_error', 'the reply could not be finished'),
  image_refused: () => new SandboxError(503, 'image_generation_unavailable', 'images cannot be made at the moment'),
  artifact_not_ready: () => new SandboxError(409, 'artifact_not_ready', 'the artifact is still being made'),
  artifact_missing: () => new SandboxError(404, 'artifact_not_found', 'there is no such artifact'),
  upgrade_required: () => new SandboxError(403, 'upgrade_required', 'this account has to be upgraded'),
};

/** Returns the error response of a fault; undefined for other kinds of faults. */
export function toFaultError(fault: Fault): SandboxError | undefined {
  return REFUSALS[fault.fault]?.(fault);
}
