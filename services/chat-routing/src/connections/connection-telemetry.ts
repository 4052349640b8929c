import { createLabelLimiter } from '@parley/kit/telemetry/meter';
import { type LabelsOf } from '@parley/kit/telemetry/metrics';
import { type SpanOptions } from '@parley/kit/telemetry/span';
import { type ConnectionRow } from '../store/connections.ts';
import { type AnyConnection } from './connection.ts';

/** Metric labels of a connection. */
export type ConnectionLabels = LabelsOf<'parley_failovers_total'>;

/** Metric labels of a turn, by kind of metric. */
export interface TurnMetricLabels {
  /** For latencies. */
  time: LabelsOf<'gen_ai_server_time_to_first_token_seconds'>;
  /** For the duration of a turn that succeeded. */
  duration: LabelsOf<'gen_ai_server_request_duration_seconds'>;
  input: LabelsOf<'gen_ai_client_token_usage'>;
  output: LabelsOf<'gen_ai_client_token_usage'>;
}

/** Span name, attributes and metric labels of a model on a connection. */
export interface ModelTelemetry {
  spanName: string;
  /** Attributes of an attempt's span. */
  attributes: NonNullable<SpanOptions['attributes']>;
  /** Returns the metric labels. `responseModel`: the model that the upstream reported; empty when it reported none. */
  labels(responseModel: string): TurnMetricLabels;
}

/** Maximum distinct model labels; model names come from outside and are unbounded. */
const MODELS = 200;
const CONNECTIONS = 500;
/** Maximum characters of an upstream's model name in a label. */
const MAX_NAME = 200;

const toRequestModel = createLabelLimiter(MODELS);
const toResponseModel = createLabelLimiter(MODELS);
const toConnectionLabel = createLabelLimiter(CONNECTIONS);

/** Caches the metric labels and span attributes of a connection, which every turn uses. */
export class ConnectionTelemetry {
  readonly row: ConnectionRow;
  readonly labels: ConnectionLabels;
  readonly #attempts = new Map<string, LabelsOf<'parley_attempts_total'>>();
  readonly #models = new Map<string, ModelTelemetry>();

  constructor(row: ConnectionRow) {
    this.row = row;
    this.labels = { connection: toConnectionLabel(row.label), provider: row.provider };
  }

  /** Labels of an attempt; `outcome` is `ok` or the condition of an error. */
  getAttemptLabels(outcome: string): LabelsOf<'parley_attempts_total'> {
    return findOrAdd(this.#attempts, outcome, () => ({ ...this.labels, outcome }));
  }

  getModelTelemetry(model: string): ModelTelemetry {
    return findOrAdd(this.#models, model, () => toModelTelemetry(this.row, model));
  }
}

const known = new WeakMap<AnyConnection, ConnectionTelemetry>();

/** Returns the cached telemetry of a connection; rebuilt when its row has changed. */
export function getConnectionTelemetry(connection: AnyConnection): ConnectionTelemetry {
  const found = known.get(connection);
  if (found?.row === connection.row) return found;
  const telemetry = new ConnectionTelemetry(connection.row);
  known.set(connection, telemetry);
  return telemetry;
}

function toModelTelemetry({ id, label, provider, baseUrl }: ConnectionRow, model: string): ModelTelemetry {
  const genAiProvider = toGenAiProvider(provider);
  const byResponse = new Map<string, TurnMetricLabels>();
  return {
    spanName: `chat ${model}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': genAiProvider,
      'gen_ai.request.model': model,
      'parley.connection.id': id,
      'parley.connection.label': label,
      ...toServer(baseUrl),
    },
    labels: (responseModel) => {
      const response = responseModel === '' ? '' : toResponseModel(responseModel.slice(0, MAX_NAME));
      return findOrAdd(byResponse, response, () => {
        const time = {
          gen_ai_operation_name: 'chat',
          gen_ai_provider_name: genAiProvider,
          gen_ai_request_model: toRequestModel(model),
          gen_ai_response_model: response,
        };
        return {
          time,
          duration: { ...time, error_type: '' },
          input: { ...time, gen_ai_token_type: 'input' },
          output: { ...time, gen_ai_token_type: 'output' },
        };
      });
    },
  };
}

function toServer(baseUrl: string): SpanOptions['attributes'] {
  if (!URL.canParse(baseUrl)) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return { 'server.address': hostname, 'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

function findOrAdd<V>(map: Map<string, V>, key: string, create: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}

/**
 * Provider names of the GenAI conventions that differ from ours (https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/).
 */
const NAMES: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** `gen_ai.provider.name` of a provider; our name for it when the conventions define none. */
function toGenAiProvider(provider: string): string {
  return NAMES[provider] ?? provider;
}
