import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

/** The gateway itself. */
export const GATEWAY = {
  RATE_LIMIT_EXCEEDED: {
    meaning: 'There are too many requests.',
    cause:
      'The client’s address has made as many requests as it may in a window, or the workspace has as many under way, or has used up what it may use. The throttle of ' +
      'an address answers with a string, `{"error":"Rate limit exceeded: 60 per 1 minute"}`, unless the gateway is set to the usual envelope: look at the status before the body.',
    remedy:
      'Spread requests over time. `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (seconds) tell how much is left.',
    retry: 'Yes, after `Retry-After`.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'A part of the gateway is away.',
    cause: 'Its database or one of its services cannot be reached; most often it is being restarted.',
    remedy: 'Nothing in the request is wrong. `GET /readyz` tells whoever runs the gateway what is missing.',
    retry: 'Yes, after `Retry-After`. A write may have been done: look first.',
  },
  SHUTTING_DOWN: {
    meaning: 'This process of the gateway is about to stop.',
    cause: 'It is being restarted or updated. It finishes what is under way and takes nothing new.',
    remedy: 'Nothing; the connection is closed, so that the next one finds another process.',
    retry: 'Yes, after `Retry-After`. Nothing was done.',
  },
  TIMEOUT: {
    meaning: 'The gateway did not get it done in its own time.',
    cause: 'A part of it hangs or is overloaded, or a chat turn took longer than ten minutes.',
    remedy: 'Look whether it was done before you repeat a write: read the conversation’s messages, the job or the run.',
    retry: 'Yes, with growing pauses.',
  },
  CANCELLED: {
    meaning: 'The client went away before the answer.',
    cause: 'The connection was closed. There is nobody to read this; it stands in the record and in logs.',
    remedy: 'Nothing. What had come of an answer until then is kept with its message.',
    retry: 'As the client likes.',
  },
  NOT_IMPLEMENTED: {
    meaning: 'A part of the gateway is of a release that does not know this operation.',
    cause: 'Its processes are of different releases, as for a short time during an update.',
    remedy: 'Ask whoever runs the gateway to bring all processes to the same release.',
    retry: 'When the update is over.',
  },
  INTERNAL_ERROR: {
    meaning: 'Something went wrong that nobody has foreseen.',
    cause: 'A fault of the gateway’s own; its log has the cause.',
    remedy: 'Report it with the `request_id`, by which it can be found in the log.',
    retry: 'It may help, and may not. A write may have been done: look first.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
