import { boundedLabel } from '@parley/kit/telemetry/meter';
import { type LabelsOf } from '@parley/kit/telemetry/metrics';
import { type SpanStart } from '@parley/kit/telemetry/span';
import { type ConnectionRow } from '../store/connections.ts';
import { type AnyConnection } from './connection.ts';

/** Labels of a connection. */
export type ConnectionLabels = LabelsOf<'parley_failovers_total'>;

/** Labels of a turn, by what the metric counts. */
export interface AnswerLabels {
  /** Of times. */
  time: LabelsOf<'gen_ai_server_time_to_first_token_seconds'>;
  /** Of the duration of a turn without an error. */
  duration: LabelsOf<'gen_ai_server_request_duration_seconds'>;
  input: LabelsOf<'gen_ai_client_token_usage'>;
  output: LabelsOf<'gen_ai_client_token_usage'>;
}

/** What metrics and spans say about a model of a connection. */
export interface ModelTelemetry {
  spanName: string;
  /** Of the span of an attempt. */
  attributes: NonNullable<SpanStart['attributes']>;
  /** `responseModel`: what the upstream says has answered; empty where it says nothing. */
  labels(responseModel: string): AnswerLabels;
}

/** Models come from outside and may be many: so many get a series of their own. */
const MODELS = 200;
const CONNECTIONS = 500;
/** Characters of what an upstream calls its model. */
const MAX_NAME = 200;

const toRequestModel = boundedLabel(MODELS);
const toResponseModel = boundedLabel(MODELS);
const toConnectionLabel = boundedLabel(CONNECTIONS);

/** What metrics and spans say about a connection: made once, since every turn says it again. */
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
  attempt(outcome: string): LabelsOf<'parley_attempts_total'> {
    return findOrAdd(this.#attempts, outcome, () => ({ ...this.labels, outcome }));
  }

  model(model: string): ModelTelemetry {
    return findOrAdd(this.#models, model, () => toModelTelemetry(this.row, model));
  }
}

const known = new WeakMap<AnyConnection, ConnectionTelemetry>();

/** What metrics and spans say about a connection as it is set now. */
export function telemetryOf(connection: AnyConnection): ConnectionTelemetry {
  const found = known.get(connection);
  if (found?.row === connection.row) return found;
  const telemetry = new ConnectionTelemetry(connection.row);
  known.set(connection, telemetry);
  return telemetry;
}

function toModelTelemetry({ id, label, provider, baseUrl }: ConnectionRow, model: string): ModelTelemetry {
  const genAiProvider = toGenAiProvider(provider);
  const byResponse = new Map<string, AnswerLabels>();
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

function toServer(baseUrl: string): SpanStart['attributes'] {
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

/** Names of providers in the GenAI conventions, where they differ from ours (https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/). */
const NAMES: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** `gen_ai.provider.name` of a provider; its own name where the conventions have none. */
function toGenAiProvider(provider: string): string {
  return NAMES[provider] ?? provider;
}
