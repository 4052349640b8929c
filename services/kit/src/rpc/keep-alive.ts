/**
 * Timing of the health check that finds a frozen or unreachable replica within three seconds, in milliseconds; used only when there are
 * other replicas. A check that is not answered by its deadline is sent again, which happens only if this process itself was stopped.
 */
export const PULSE = { everyMs: 250, timeoutMs: 2_400, deadlineMs: 5_000 };
/** Upper bound of the time until a frozen peer is detected, in milliseconds. */
export const NOTICED_MS = PULSE.timeoutMs + 3 * PULSE.everyMs;
/** A process that did not run for this long, in milliseconds, may have been given up by its clients. */
export const MISSED_MS = PULSE.timeoutMs;

/**
 * gRPC keepalive of a client while calls are open. Slower than the health check: without another replica, it is better to wait for a slow
 * peer than to lose it.
 */
export const CLIENT_KEEP_ALIVE = { 'grpc.keepalive_time_ms': 10_000, 'grpc.keepalive_timeout_ms': 5_000 };
/**
 * gRPC keepalive of a server, which accepts pings at any rate; ends the calls of clients that disappeared without closing their connection.
 */
export const SERVER_KEEP_ALIVE = { 'grpc.keepalive_time_ms': 5_000, 'grpc.keepalive_timeout_ms': 5_000 };
