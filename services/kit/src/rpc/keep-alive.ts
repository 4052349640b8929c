/**
 * Where another replica can take over, one that is frozen or cut off is given up within three seconds: by a pulse. A question that is not answered by
 * its deadline is asked again, which happens only where this process stands still.
 */
export const PULSE = { everyMs: 250, timeoutMs: 2_400, deadlineMs: 5_000 };
/** One of several peers that is frozen is noticed by then, in milliseconds. */
export const NOTICED_MS = PULSE.timeoutMs + 3 * PULSE.everyMs;
/** A process that stood still for this long, in milliseconds, may have been given up by its clients. */
export const MISSED_MS = PULSE.timeoutMs;

/** Pings of gRPC, while calls are open. Where there is nowhere else to go, a peer that is slow is better waited for than lost. */
export const CLIENT_KEEP_ALIVE = { 'grpc.keepalive_time_ms': 10_000, 'grpc.keepalive_timeout_ms': 5_000 };
/** Of a server, which accepts pings at any pace: clients that are gone without a word leave no call running. */
export const SERVER_KEEP_ALIVE = { 'grpc.keepalive_time_ms': 5_000, 'grpc.keepalive_timeout_ms': 5_000 };
