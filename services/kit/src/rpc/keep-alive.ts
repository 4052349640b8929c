/**
 * Timing of the health check that finds a frozen or unreachable replica within three seconds, in milliseconds; used only when there are
 * other replicas. A check that is not answered by its deadline is sent again, which happens only if this process itself was stopped.
 */
export const HEALTH_CHECK_TIMING = { everyMs: 250, timeoutMs: 2_400, deadlineMs: 5_000 };
/** Upper bound of the time until a frozen peer is detected, in milliseconds. */
export const PEER_LOSS_DETECTION_MS = HEALTH_CHECK_TIMING.timeoutMs + 3 * HEALTH_CHECK_TIMING.everyMs;
/** Clients may treat a process that did not run for this long, in milliseconds, as lost. */
export const STALL_MS = HEALTH_CHECK_TIMING.timeoutMs;

/**
 * gRPC keepalive of a client while calls are open. Slower than the health check: without another replica, it is better to wait for a slow
 * peer than to lose it.
 */
export const CLIENT_KEEP_ALIVE = { 'grpc.keepalive_time_ms': 10_000, 'grpc.keepalive_timeout_ms': 5_000 };
/**
 * gRPC keepalive of a server, which accepts pings at any rate; ends the calls of clients that disappeared without closing their connection.
 */
export const SERVER_KEEP_ALIVE = { 'grpc.keepalive_time_ms': 5_000, 'grpc.keepalive_timeout_ms': 5_000 };
