import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

/** Example of a connection. */
export const CONNECTION_SAMPLE = {
  id: SAMPLE.account,
  label: 'main',
  provider: 'sandbox',
  provider_family: null,
  status: 'rate_limited',
  health: 'rate_limited',
  is_default: true,
  created_at: SAMPLE.time,
  last_used_at: SAMPLE.later,
  cooldown_seconds: 287,
};
const ON = { enabled: true, supported: true };
const NO_ACCOUNT = { enabled: false, supported: true, reason: 'no_connected_account' };

const MANIFEST = {
  platform: 'parley',
  api_version: 'v1',
  base_url: 'http://127.0.0.1:8080',
  openapi_url: 'http://127.0.0.1:8080/openapi-public.json',
  docs_url: 'http://127.0.0.1:8080/docs-public',
  capabilities: {
    chat: {
      ...ON,
      endpoint: '/v1/chat/completions',
      openai_compatible: true,
      streaming: true,
      features: {
        ...{ text: true, images: true, conversation_files: true, conversation_continuation: true },
        ...{ projects: true, project_files: false, multi_account_routing: false },
      },
    },
    conversations: {
      ...ON,
      endpoints: { createConversation: 'POST /v1/conversations', listConversations: 'GET /v1/conversations' },
      ...{ auto_create: true, sticky_binding: true, upstream_continuity: true },
    },
    projects: {
      ...ON,
      endpoints: { createProject: 'POST /v1/projects' },
      memory_policies: ['provider_default', 'account_connected', 'project_only'],
    },
    files: ON,
    images: {
      ...ON,
      ...{ endpoint: '/v1/chat/completions', state: 'unknown', verified: false },
      ...{ error_code: 'IMAGE_GENERATION_UNAVAILABLE', retryable: false, note: 'Whether an account may make one shows when it is asked.' },
    },
    audio: {
      transcription: { ...ON, endpoint: '/v1/audio/transcriptions', provider: 'pocketsphinx' },
      speech_generation: { ...ON, endpoint: '/v1/audio/generations', provider: 'flite' },
    },
    models: { enabled: true, endpoint: '/v1/models' },
    usage: { enabled: true, endpoint: '/v1/usage', periods: ['24h', '7d', '30d'], scope: 'api_key' },
    project_files: { ...NO_ACCOUNT, reason: 'upstream_not_authorized' },
    actions: { ...ON, endpoints: { listActions: 'GET /v1/actions', createActionRun: 'POST /v1/actions/{slug}/runs' } },
  },
  providers: { sandbox: { connected: true, supports: ['text', 'images', 'conversation_files'] } },
  connections: { endpoint: '/v1/connections' },
  authentication: { type: 'bearer', header: 'Authorization', key_prefix: 'gmk_live_' },
  error_format: { envelope: '{"error":{"code","message","type","param","request_id","retryable"}}' },
};

const HOME = {
  ...{ platform: 'parley', version: '0.9.0', base_url: 'http://127.0.0.1:8080/v1' },
  answered_by: 'The sandbox answers until a connection is added. It is a program with fixed commands, not a language model.',
  docs_url: 'http://127.0.0.1:8080/docs-public',
  openapi_url: 'http://127.0.0.1:8080/openapi-public.json',
  command_line: 'npx parley',
};

const READY = { status: 'ready', checks: { database: { ok: true, ms: 2 }, broker: { ok: true, ms: 1 } } };
/** Example of a readiness report. */
export const READINESS_SAMPLE = READY;

/** Descriptions and examples of the discovery, usage and health operations. */
export const DISCOVERY_DETAILS: DetailsByOperationId = {
  listModels: {
    description: '`auto` first, then what the connected accounts offer.',
    response: {
      object: 'list',
      data: [
        { id: 'auto', object: 'model', created: 1_795_167_000, owned_by: 'parley' },
        { id: 'sandbox-1', object: 'model', created: 1_795_167_000, owned_by: 'sandbox' },
      ],
    },
  },
  getCapabilities: {
    description:
      'Ask it first. `supported` speaks of the platform, `enabled` of the calling workspace at this moment; neither proves that a call will succeed.',
    response: MANIFEST,
  },
  listConnections: {
    description: 'Read-only. `cooldown_seconds` counts down while the health is `rate_limited` or `cooldown`.',
    response: [CONNECTION_SAMPLE],
  },
  getUsage: {
    description:
      'A key sees its own usage (`scope` `api_key`), the operator that of all keys (`all`). Tokens are estimates; a stream counts once it has ended.',
    response: {
      ...{ period: '7d', scope: 'api_key', total_requests: 3, successful: 2, errors: 0, rate_limited: 1 },
      ...{ total_tokens_in: 18, total_tokens_out: 14, total_duration_ms: 2_412 },
      by_model: [{ model: 'sandbox-1', requests: 2, tokens_in: 18, tokens_out: 14 }],
      by_day: [{ date: '2026-11-20', requests: 3, tokens: 32 }],
    },
  },
  getHome: {
    description: 'A page without scripts for clients that accept `text/html`, JSON for all others.',
    response: HOME,
    text: '<!doctype html>…',
  },
  live: { description: 'For a liveness probe; checks only the process.', response: { status: 'ok' } },
  ready: { description: 'For a load balancer: 503 while the gateway cannot serve, and as soon as it drains.', response: READY },
  getPublicDocument: {
    description: 'The description of the public API; its view is at `/docs-public`.',
    response: { openapi: '3.1.0', info: { title: 'Parley', version: '0.9.0' }, paths: {} },
  },
  getView: {
    description: 'Served from this origin alone. Operations can be tried with an API key.',
    text: '<!doctype html>…',
  },
  getViewFile: { description: 'The name changes with the content, so that it can be cached permanently.', text: 'SwaggerUIBundle({…});' },
  getWholeDocument: {
    description: 'No public contract: the control plane may change with any version.',
    response: { openapi: '3.1.0', info: { title: 'Parley', version: '0.9.0' }, paths: {} },
  },
};
