import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of the gateway itself. */
export const GATEWAY_GUIDE = {
  RATE_LIMIT_EXCEEDED: {
    meaning: 'There are too many requests.',
    cause:
      'The client’s address has reached its limit of requests in a window, or the workspace has reached its limit of concurrent requests or a quota. The throttle of ' +
      'an address answers with a string, `{"error":"Rate limit exceeded: 60 per 1 minute"}`, unless the gateway is configured for the usual envelope: check the status before the body.',
    remedy:
      'Spread requests over time. `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (seconds) show how much is left.',
    retry: 'Yes, after `Retry-After`.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'A part of the gateway is unavailable.',
    cause: 'Its database or one of its services is unreachable, most often because it restarts.',
    remedy: 'The request itself is fine. `GET /readyz` shows the operator what is missing.',
    retry: 'Yes, after `Retry-After`. A write may have been done: read first.',
  },
  SHUTTING_DOWN: {
    meaning: 'This process of the gateway is about to stop.',
    cause: 'It is being restarted or updated. It finishes the requests in progress and accepts no new ones.',
    remedy: 'None is needed: the gateway closes the connection, so that the next one reaches another process.',
    retry: 'Yes, after `Retry-After`. Nothing was done.',
  },
  TIMEOUT: {
    meaning: 'The gateway did not finish within its own time limit.',
    cause: 'A part of it hangs or is overloaded, or a chat turn took longer than ten minutes.',
    remedy: 'Check whether the write was done before you repeat it: read the conversation’s messages, the job or the run.',
    retry: 'Yes, with increasing delays.',
  },
  CANCELLED: {
    meaning: 'The client disconnected before the answer.',
    cause: 'The client closed the connection. No client sees this code; it appears in the record and in logs.',
    remedy: 'None is needed. The part of an answer that had arrived is kept with its message.',
    retry: 'As the client likes.',
  },
  NOT_IMPLEMENTED: {
    meaning: 'A part of the gateway runs a release that does not have this operation.',
    cause: 'The processes of the gateway run different releases, as for a short time during an update.',
    remedy: 'Ask the operator to bring all processes to the same release.',
    retry: 'When the update is over.',
  },
  INTERNAL_ERROR: {
    meaning: 'An unexpected error occurred in the gateway.',
    cause: 'A defect of the gateway; its log has the cause.',
    remedy: 'Report it with the `request_id`, which finds the request in the log.',
    retry: 'A retry may succeed. A write may have been done: read first.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
