/**
 * The only definition of the gateway's metrics: names, types, labels and buckets. `docs/metrics.md` is generated from it (`npm run
 * docs:metrics`) and a test compares both. Metrics named `gen_ai_*` follow the semantic conventions of OpenTelemetry for generative AI,
 * whose names may still change (https://opentelemetry.io/docs/specs/semconv/gen-ai/). No label grows with users: none has a key, user,
 * workspace, conversation or request.
 */

/** The type of a metric, as in the exposition format of Prometheus. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The definition of a metric. */
export interface MetricSpec {
  type: MetricType;
  /** What it counts or measures, and in which unit. */
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
  /** The processes that report it. */
  from: string;
}

/** Seconds that suit models: from a cache hit to a long answer. */
const MODEL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120] as const;
/** Seconds of the gateway's own work. */
const SHORT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576] as const;
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;

const GEN_AI = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model', 'gen_ai_response_model'] as const;
const CONNECTION = ['connection', 'provider'] as const;

/** The definitions of all metrics, by name. */
export const METRICS = {
  // Models (GenAI conventions)
  gen_ai_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Time of a turn at its upstream, from the first attempt to the end of the answer, in seconds.',
    labels: [...GEN_AI, 'error_type'],
    buckets: MODEL_SECONDS,
    from: 'chat-routing',
  },
  gen_ai_server_time_to_first_token_seconds: {
    type: 'histogram',
    help: 'Time from the first attempt of a streamed turn to the first text, reasoning or file of its answer, in seconds.',
    labels: GEN_AI,
    buckets: MODEL_SECONDS,
    from: 'chat-routing',
  },
  gen_ai_server_time_per_output_token_seconds: {
    type: 'histogram',
    help: 'Time of a streamed answer after its first token, divided by its tokens after the first, in seconds.',
    labels: GEN_AI,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    from: 'chat-routing',
  },
  gen_ai_client_token_usage: {
    type: 'histogram',
    help: 'Tokens of a turn as recorded, by type (input, output).',
    labels: [...GEN_AI, 'gen_ai_token_type'],
    buckets: TOKENS,
    from: 'chat-routing',
  },

  // Requests at the edge
  parley_requests_total: {
    type: 'counter',
    help: 'Requests that have been answered or given up, by operation and status (0: no answer was begun).',
    labels: ['operation', 'status'],
    from: 'edge',
  },
  parley_request_errors_total: {
    type: 'counter',
    help: 'Requests that ended with an error of the catalogue, those of open streams included.',
    labels: ['operation', 'code'],
    from: 'edge',
  },
  parley_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the head of a request to the end of its answer, in seconds.',
    labels: ['operation'],
    buckets: MODEL_SECONDS,
    from: 'edge',
  },
  parley_requests_in_flight: { type: 'gauge', help: 'Requests in progress.', labels: [], from: 'edge' },
  parley_streams_open: { type: 'gauge', help: 'Chat streams that are open.', labels: [], from: 'edge' },
  parley_stream_buffered_bytes: {
    type: 'gauge',
    help: 'Bytes of open streams that their clients have not read yet.',
    labels: [],
    from: 'edge',
  },
  parley_stalled_clients_total: {
    type: 'counter',
    help: 'Streams of events or audio that were closed because the client stopped reading.',
    labels: [],
    from: 'edge',
  },
  parley_request_body_bytes: {
    type: 'gauge',
    help: 'Bytes of large request bodies (over 256 KiB) that are being read and parsed.',
    labels: [],
    from: 'edge',
  },
  parley_throttled_total: {
    type: 'counter',
    help: 'Requests that a throttle or the concurrency limit refused, by operation.',
    labels: ['operation'],
    from: 'edge',
  },
  parley_quota_refusals_total: {
    type: 'counter',
    help: 'Requests that a quota refused, by what it limits and for whom (workspace, key).',
    labels: ['metric', 'subject'],
    from: 'edge',
  },
  parley_quota_failures_total: {
    type: 'counter',
    help: 'Calls for quotas that failed because the usage service was not available.',
    labels: [],
    from: 'edge',
  },
  parley_quota_leases: { type: 'gauge', help: 'Quotas of which this process holds a leased block.', labels: [], from: 'edge' },
  parley_key_lookups_total: {
    type: 'counter',
    help: 'API keys of requests that were looked up, by result (cached, read, failed).',
    labels: ['result'],
    from: 'edge',
  },

  // Turns and connections
  parley_turns_total: {
    type: 'counter',
    help: 'Turns that have ended, by status (completed, failed, interrupted).',
    labels: ['status'],
    from: 'chat-routing',
  },
  parley_turn_errors_total: {
    type: 'counter',
    help: 'Turns that failed, by the condition of the error catalogue.',
    labels: ['condition'],
    from: 'chat-routing',
  },
  parley_turn_added_seconds: {
    type: 'histogram',
    help: 'Time of a turn in the gateway: the whole turn, from the head of its request, less the time at its upstreams, in seconds.',
    labels: [],
    buckets: SHORT_SECONDS,
    from: 'chat-routing',
  },
  parley_turns_in_flight: { type: 'gauge', help: 'Turns that run on a connection.', labels: CONNECTION, from: 'chat-routing' },
  parley_turns_queued: { type: 'gauge', help: 'Turns that wait for a slot of a connection.', labels: CONNECTION, from: 'chat-routing' },
  parley_turns_refused_total: {
    type: 'counter',
    help: 'Turns that never began, by the condition of the error catalogue.',
    labels: ['condition'],
    from: 'chat-routing',
  },
  parley_attempts_total: {
    type: 'counter',
    help: 'Attempts of turns on a connection, by outcome (ok, or the condition of the failure).',
    labels: [...CONNECTION, 'outcome'],
    from: 'chat-routing',
  },
  parley_failovers_total: {
    type: 'counter',
    help: 'Turns that went on to another connection after a failure on this one.',
    labels: CONNECTION,
    from: 'chat-routing',
  },
  parley_connection_up: {
    type: 'gauge',
    help: '1 for a connection that takes turns now, else 0; of several with the same label, the worst. Disabled ones are left out.',
    labels: CONNECTION,
    from: 'chat-routing',
  },
  parley_connection_health: {
    type: 'gauge',
    help: '1 for the health that a connection has now, 0 for the others.',
    labels: [...CONNECTION, 'health'],
    from: 'chat-routing',
  },
  parley_connection_cooldown_seconds: {
    type: 'gauge',
    help: 'Seconds until a connection takes turns again; 0 when it does. Of several with the same label, the longest.',
    labels: CONNECTION,
    from: 'chat-routing',
  },
  parley_upstream_tokens_total: {
    type: 'counter',
    help: 'Tokens that upstreams reported, or that were counted where they reported none, by type (input, output).',
    labels: ['type'],
    from: 'chat-routing',
  },

  // The record of conversations
  parley_group_commit_rows: {
    type: 'histogram',
    help: 'Rows of one group commit.',
    labels: ['statement'],
    buckets: SIZES,
    from: 'conversation',
  },
  parley_group_commit_seconds: {
    type: 'histogram',
    help: 'Time of a group commit in the database, in seconds.',
    labels: ['statement'],
    buckets: SHORT_SECONDS,
    from: 'conversation',
  },
  parley_group_commit_queue: { type: 'gauge', help: 'Rows that wait for a group commit.', labels: ['statement'], from: 'conversation' },
  parley_turns_reaped_total: {
    type: 'counter',
    help: 'Turns of processes that ended, closed as interrupted.',
    labels: [],
    from: 'conversation',
  },
  parley_recorded_tokens_total: {
    type: 'counter',
    help: 'Tokens of turns that were recorded, by type (input, output).',
    labels: ['type'],
    from: 'conversation',
  },
  parley_search_seconds: {
    type: 'histogram',
    help: 'Time of a search in conversations, in seconds.',
    labels: [],
    buckets: SHORT_SECONDS,
    from: 'conversation',
  },

  // Usage
  parley_usage_records_total: { type: 'counter', help: 'Usage records that were counted.', labels: [], from: 'usage' },
  parley_usage_duplicates_total: { type: 'counter', help: 'Events that came again and changed nothing.', labels: [], from: 'usage' },
  parley_usage_tokens_total: {
    type: 'counter',
    help: 'Tokens that were counted in the usage, by type (input, output).',
    labels: ['type'],
    from: 'usage',
  },
  parley_usage_capture_ratio: {
    type: 'gauge',
    help: 'Tokens in the usage divided by the tokens of the recorded turns of the same minutes, over the last hour that is settled. 1: nothing lost, nothing twice.',
    labels: [],
    from: 'usage',
  },

  // Assets, jobs and runs
  parley_assets_total: {
    type: 'counter',
    help: 'Assets that reached a final status (ready, failed), by type.',
    labels: ['type', 'status'],
    from: 'asset',
  },
  parley_asset_ingest_seconds: {
    type: 'histogram',
    help: 'Time of the fetch and check of an asset that became ready, in seconds.',
    labels: [],
    buckets: MODEL_SECONDS,
    from: 'asset',
  },
  parley_speech_jobs_total: {
    type: 'counter',
    help: 'Speech jobs that ended, by provider and status.',
    labels: ['provider', 'status'],
    from: 'audio',
  },
  parley_speech_seconds: {
    type: 'histogram',
    help: 'Time of the work of a speech job, in seconds.',
    labels: ['provider'],
    buckets: MODEL_SECONDS,
    from: 'audio',
  },
  parley_transcriptions_total: {
    type: 'counter',
    help: 'Transcriptions that ended, by provider and status.',
    labels: ['provider', 'status'],
    from: 'audio',
  },
  parley_engines_busy: { type: 'gauge', help: 'Engine processes that work now.', labels: [], from: 'audio' },
  parley_engine_queue: { type: 'gauge', help: 'Pieces of audio work that wait for an engine.', labels: [], from: 'audio' },
  parley_runs_total: { type: 'counter', help: 'Runs of actions that ended, by status.', labels: ['status'], from: 'actions' },
  parley_run_steps_total: { type: 'counter', help: 'Steps of runs, by kind and outcome.', labels: ['kind', 'outcome'], from: 'actions' },
  parley_runs_in_review: { type: 'gauge', help: 'Runs that wait for a decision of an operator.', labels: [], from: 'actions' },
  parley_lease_backlog: {
    type: 'gauge',
    help: 'Pieces of durable work that are due and not leased, by kind, counted up to 100,000.',
    labels: ['kind'],
    from: 'asset, audio, actions',
  },
  parley_lease_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of them, in seconds; 0 without one.',
    labels: ['kind'],
    from: 'asset, audio, actions',
  },
  parley_leases_held: {
    type: 'gauge',
    help: 'Pieces that this process works on, by kind.',
    labels: ['kind'],
    from: 'asset, audio, actions',
  },
  parley_leases_taken_over_total: {
    type: 'counter',
    help: 'Pieces whose lease ran out with another process and that this process took over, by kind.',
    labels: ['kind'],
    from: 'asset, audio, actions',
  },

  // Servers that every process uses
  parley_outbox_rows: {
    type: 'gauge',
    help: 'Events that wait for the broker, counted up to 100,000.',
    labels: ['service'],
    from: 'every service with an outbox',
  },
  parley_outbox_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of them, in seconds; 0 without one.',
    labels: ['service'],
    from: 'every service with an outbox',
  },
  parley_consumer_pending: {
    type: 'gauge',
    help: 'Messages that a durable consumer has not acknowledged yet, delivered or not.',
    labels: ['consumer'],
    from: 'every service that consumes events',
  },
  parley_consumer_redelivered_total: {
    type: 'counter',
    help: 'Messages that were delivered again.',
    labels: ['consumer'],
    from: 'every service that consumes events',
  },
  parley_broker_connected: {
    type: 'gauge',
    help: '1 while the service is connected to the broker, else 0.',
    labels: ['service'],
    from: 'every process',
  },
  parley_database_connections: {
    type: 'gauge',
    help: 'Connections of the pool to PostgreSQL, by state (idle, busy).',
    labels: ['service', 'state'],
    from: 'every process',
  },
  parley_database_waiting: {
    type: 'gauge',
    help: 'Callers that wait for a connection of the pool.',
    labels: ['service'],
    from: 'every process',
  },
  parley_database_errors_total: {
    type: 'counter',
    help: 'Queries that failed because the database was not available.',
    labels: ['service'],
    from: 'every process',
  },
  parley_rpc_errors_total: {
    type: 'counter',
    help: 'RPCs that failed, by method and code.',
    labels: ['method', 'code'],
    from: 'every process',
  },
  parley_spans_dropped_total: {
    type: 'counter',
    help: 'Spans of traces that were dropped because the queue of the exporter was full.',
    labels: [],
    from: 'every process',
  },
  parley_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'How late the event loop was since the scrape before, in seconds, by quantile (p50, p99, max); measured only while the process is scraped.',
    labels: ['quantile'],
    from: 'every process',
  },
  parley_build_info: {
    type: 'gauge',
    help: '1; the labels have the version of Parley and of Node.',
    labels: ['version', 'node'],
    from: 'every process',
  },
} as const satisfies Record<string, MetricSpec>;

/** The name of a metric of one type. */
export type MetricName<T extends MetricType = MetricType> = {
  [N in keyof typeof METRICS]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[keyof typeof METRICS];

/** The labels of a metric, each with its value. */
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;
