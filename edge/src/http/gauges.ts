import { type Disposables } from '@parley/kit/lifecycle/disposables';
import { observeGauge } from '@parley/kit/telemetry/meter';
import { type BodyBytesLimiter } from '../middleware/body-bytes-limiter.ts';
import { type QuotaReserver } from '../quota/quota-reserver.ts';
import { type FlushScheduler } from '../sse/flush-scheduler.ts';
import { type InFlight } from './in-flight.ts';

/** The objects that the gauges read. */
interface GaugeSources {
  inFlight: Pick<InFlight, 'count'>;
  /** The open streams of chat. */
  streams: Pick<FlushScheduler, 'size' | 'bufferedBytes'>;
  bodies: Pick<BodyBytesLimiter, 'bytes'>;
  quotas: Pick<QuotaReserver, 'countLeases'>;
}

/** Registers the gauges of the edge, which are read at each scrape; `parts` unregisters them when it is disposed. */
export function registerEdgeGauges({ inFlight, streams, bodies, quotas }: GaugeSources, parts: Disposables): void {
  parts.defer(observeGauge('parley_requests_in_flight', () => [{ labels: {}, value: inFlight.count }]));
  parts.defer(observeGauge('parley_streams_open', () => [{ labels: {}, value: streams.size }]));
  parts.defer(observeGauge('parley_stream_buffered_bytes', () => [{ labels: {}, value: streams.bufferedBytes() }]));
  parts.defer(observeGauge('parley_request_body_bytes', () => [{ labels: {}, value: bodies.bytes }]));
  parts.defer(observeGauge('parley_quota_leases', () => [{ labels: {}, value: quotas.countLeases() }]));
}
