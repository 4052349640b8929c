import { observeGauge, type GaugeSamples } from '@parley/kit/telemetry/meter';
import { CONNECTION_HEALTH_VALUES, toHealth } from '../domain/connection-message.ts';
import { type ConnectionLabels, getConnectionTelemetry } from './connection-telemetry.ts';
import { type AnyConnection, type Connection, isChatConnection } from './connection.ts';

/** Gauges with one value per connection. */
type Gauge = 'parley_turns_in_flight' | 'parley_turns_queued' | 'parley_connection_up' | 'parley_connection_cooldown_seconds';

/**
 * Reports the gauges of the connections that `list` returns at the time of a scrape. Connections of several workspaces may share a label:
 * then the gauge reports the worst of them, and the sum of their turns. Returns a function that ends the reporting.
 */
export function registerConnectionGauges(list: () => readonly AnyConnection[]): () => void {
  const enabled = () => list().filter(({ row }) => row.enabled);
  const running = () => list().filter(isChatConnection);
  const ends = [
    observeGauge('parley_turns_in_flight', () => reduced(running(), ({ limiter }: Connection) => limiter.inFlight, add)),
    observeGauge('parley_turns_queued', () => reduced(running(), ({ limiter }: Connection) => limiter.waiting, add)),
    observeGauge('parley_connection_up', () => reduced(enabled(), (connection) => (isUp(connection) ? 1 : 0), Math.min)),
    observeGauge('parley_connection_cooldown_seconds', () => reduced(enabled(), (connection) => connection.cooldownMs() / 1_000, Math.max)),
    observeGauge('parley_connection_health', () => listHealth(enabled())),
  ];
  return () => ends.forEach((end) => end());
}

/** Merges the values of connections that have the same labels. */
function reduced<C extends AnyConnection>(
  connections: readonly C[],
  valueOf: (connection: C) => number,
  merge: (one: number, other: number) => number,
): GaugeSamples<Gauge> {
  const samples = new Map<string, { labels: ConnectionLabels; value: number }>();
  for (const connection of connections) {
    const { labels } = getConnectionTelemetry(connection);
    const key = `${labels.provider} ${labels.connection}`;
    const before = samples.get(key);
    const value = valueOf(connection);
    samples.set(key, { labels, value: before ? merge(before.value, value) : value });
  }
  return samples.values();
}

function listHealth(connections: readonly AnyConnection[]): GaugeSamples<'parley_connection_health'> {
  return CONNECTION_HEALTH_VALUES.flatMap((health) =>
    [...reduced(connections, (connection) => (toHealth(toFacts(connection)) === health ? 1 : 0), Math.max)].map(({ labels, value }) => ({
      labels: { ...labels, health },
      value,
    })),
  );
}

function toFacts(connection: AnyConnection): Parameters<typeof toHealth>[0] {
  return { admission: connection.admission(), state: connection.state };
}

function isUp(connection: AnyConnection): boolean {
  return connection.ready && connection.admission() === 'closed';
}

function add(one: number, other: number): number {
  return one + other;
}
