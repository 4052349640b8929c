import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { z } from 'zod';
import { durationMs, listenAddress, url } from '../config/fields.ts';
import { type Env, readConfig } from '../config/read-config.ts';
import { type Logger } from '../log/logger.ts';
import { VERSION } from '../version.ts';
import { enableMetrics } from './meter.ts';
import { type MetricsServer, serveMetrics } from './metrics-server.ts';
import { startSpanExport } from './span-export.ts';
import { setTracer, Tracer } from './tracer.ts';

/** Configuration of metrics and traces of a process. */
export interface TelemetryConfig {
  /** `host:port` of the metrics listener; undefined when metrics are off. @default '127.0.0.1:9464', or a free port if that is in use */
  metricsListen: string | undefined;
  /** Whether the listener may use a free port, because no address was configured. */
  metricsFallBack: boolean;
  /** Receiver of traces over OTLP/HTTP; undefined when traces are off. */
  traces: { url: string; headers: Record<string, string>; ratio: number; slowMs: number } | undefined;
  /** Further attributes of the process in traces. */
  resource: Record<string, string>;
}

const ratio = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?|\.\d+)$/, 'must be a number from 0 to 1')
  .transform(Number);

/** The variables of OpenTelemetry are those of its specification (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). */
const SCHEMA = z.object({
  PARLEY_METRICS_LISTEN: z.union([z.literal('off'), listenAddress], 'must look like host:port, or be off').optional(),
  PARLEY_TRACE_SLOW: durationMs.default(10_000),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default(''),
  OTEL_RESOURCE_ATTRIBUTES: z.string().default(''),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(0.01),
});

/** Reads the configuration of metrics and traces from the environment. @throws ConfigError */
export function readTelemetryConfig(env: Env): TelemetryConfig {
  const read = readConfig(SCHEMA, env);
  const given = read.PARLEY_METRICS_LISTEN;
  const base = read.OTEL_EXPORTER_OTLP_ENDPOINT;
  const target = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  return {
    metricsListen: given === 'off' ? undefined : (given ?? '127.0.0.1:9464'),
    metricsFallBack: given === undefined,
    traces: target
      ? {
          url: target,
          headers: parseKeyPairsIntoRecord(read.OTEL_EXPORTER_OTLP_HEADERS),
          ratio: read.OTEL_TRACES_SAMPLER_ARG,
          slowMs: read.PARLEY_TRACE_SLOW,
        }
      : undefined,
    resource: parseKeyPairsIntoRecord(read.OTEL_RESOURCE_ATTRIBUTES),
  };
}

/** The process that is observed. */
export interface ObservedProcess {
  /** Name of the process, such as `edge`. */
  name: string;
  log: Logger;
}

/**
 * Starts metrics and traces of this process; disposing stops them and sends the waiting spans.
 * @throws ConfigError when the listener's port is not available
 */
export async function startTelemetry(config: TelemetryConfig, { name, log }: ObservedProcess): Promise<AsyncDisposable> {
  const { traces, resource } = config;
  const metrics = await openMetrics(config);
  if (metrics) enableMetrics(VERSION);
  if (metrics) log.info({ url: metrics.url }, 'metrics listener');
  const spans =
    traces &&
    startSpanExport({
      ...traces,
      resource: {
        'service.namespace': 'parley',
        'service.version': VERSION,
        ...resource,
        'service.name': name === 'parley' ? name : `parley-${name}`,
      },
    });
  if (spans) setTracer(new Tracer(traces, spans.sink));
  return {
    [Symbol.asyncDispose]: async () => {
      setTracer(undefined);
      await spans?.close();
      await metrics?.close();
    },
  };
}

async function openMetrics({ metricsListen, metricsFallBack }: TelemetryConfig): Promise<MetricsServer | undefined> {
  if (!metricsListen) return undefined;
  try {
    return await serveMetrics(metricsListen);
  } catch (error) {
    // Several processes on one machine share the default address; the others use a free port.
    if (metricsFallBack) return serveMetrics('127.0.0.1:0');
    throw error;
  }
}
