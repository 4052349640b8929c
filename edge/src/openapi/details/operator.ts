import { ACTION_SAMPLE } from './actions.ts';
import { CONVERSATION_SAMPLE, MESSAGE_SAMPLE } from './conversations.ts';
import { type DetailsByOperationId } from './details.ts';
import { CONNECTION_SAMPLE, READINESS_SAMPLE } from './discovery.ts';
import { PROJECT_SAMPLE } from './resources.ts';
import { SAMPLE } from './samples.ts';

const QUOTAS = { requests: '10000 per 1 day', tokens: null, audio_seconds: null };
const KEY = {
  quotas: QUOTAS,
  ...{ id: SAMPLE.key, workspace_id: SAMPLE.workspace, user_id: SAMPLE.user, name: 'assistant', prefix: 'gmk_live_3fK9' },
  ...{ scopes: ['chat', 'conversations'], project: null, expires_at: null, revoked_at: null },
  ...{ last_used_at: SAMPLE.later, created_at: SAMPLE.time },
};
const ACCOUNT = {
  ...CONNECTION_SAMPLE,
  ...{ workspace_id: SAMPLE.workspace, base_url: 'http://127.0.0.1:9090', models: ['sandbox-1'], supports: ['text', 'images'] },
  ...{ max_concurrency: null, pass: [], default_model: null, aliases: { fast: 'sandbox-1' }, resting_models: [], reason: null },
};
const PROFILE = { slug: 'fast', account_labels: ['main'], model: null, strategy: 'priority', weights: [] };
const ADMIN_PROJECT = { ...PROJECT_SAMPLE, bound: true };
const INTERNAL = {
  ...{ id: SAMPLE.project, workspace_id: SAMPLE.workspace, slug: 'support', name: 'Support', policy: 'allow_general' },
  created_at: SAMPLE.time,
};
const WORKSPACE = {
  ...{ id: SAMPLE.workspace, name: 'Acme', status: 'active', quotas: QUOTAS, max_concurrency: null, created_at: SAMPLE.time },
};
const USER = {
  ...{ id: SAMPLE.user, display_name: 'Ada', email: 'ada@example.com', status: 'active', instance_role: null },
  ...{ memberships: [{ workspace_id: SAMPLE.workspace, role: 'member' }], requires_second_factor: false },
  ...{ last_sign_in_at: null, created_at: SAMPLE.time },
};
const TURN_CONNECTION = { id: SAMPLE.account, label: 'main', provider: 'openai-compatible' };
const TURN = {
  ...{ turn_id: SAMPLE.turn, request_id: SAMPLE.request, conversation_id: SAMPLE.conversation, workspace_id: SAMPLE.workspace },
  ...{ key_id: SAMPLE.key, sequence: 1, model: 'sandbox-1', connection: TURN_CONNECTION, status: 'completed', finish_reason: 'stop' },
  ...{ error: null, tokens_in: 12, tokens_out: 48, started_at: SAMPLE.time, ended_at: '2026-11-20T09:30:00.905Z', duration_ms: 900 },
  ...{ route_reason: 'only', route_explanation: 'no other connection may take the turn' },
  attempts: [{ connection: TURN_CONNECTION, outcome: 'ok', upstream_status: null, upstream_message: null, duration_ms: 894 }],
  times: { routed_ms: 2, committed_ms: 5, asked_ms: 6, accepted_ms: 180, first_token_ms: 210, answered_ms: 900 },
  timeline: [
    { at_ms: 0, event: 'edge.received', detail: `request ${SAMPLE.request}` },
    { at_ms: 2, event: 'edge.routed', detail: 'key, body and quotas were checked' },
    { at_ms: 2, event: 'routing.chosen', detail: 'main (openai-compatible): no other connection may take the turn' },
    { at_ms: 5, event: 'record.begun', detail: `turn 1 of conversation ${SAMPLE.conversation}` },
    { at_ms: 6, event: 'upstream.asked', detail: 'main (openai-compatible)' },
    { at_ms: 180, event: 'upstream.accepted', detail: 'the answer began' },
    { at_ms: 210, event: 'upstream.first_token', detail: 'first output' },
    { at_ms: 900, event: 'upstream.answered', detail: '48 tokens' },
    { at_ms: 910, event: 'record.ended', detail: 'completed' },
  ],
};

/** Descriptions and examples of the control plane, which is not part of the public API. */
export const OPERATOR_DETAILS: DetailsByOperationId = {
  getStatus: {
    description: 'Answers also while services are down.',
    response: {
      ...{ version: '0.9.0', topology: 'single', instance: 'edge-1', started_at: SAMPLE.time, uptime_seconds: 12 },
      ...{ readiness: READINESS_SAMPLE, connections: { total: 1, by_status: { active: 1 } } },
    },
  },
  listUsageGroups: {
    description:
      'From sums and sketches that are kept for each hour and day, so its cost does not depend on the number of turns. CSV (RFC 4180, with a header row) for ' +
      'clients that send `Accept: text/csv` or `?format=csv`; text that a spreadsheet would take for a formula gets an apostrophe in front.',
    response: {
      ...{ period: '7d', since: null, until: null, by: 'key' },
      groups: [
        {
          ...{ id: KEY.id, name: KEY.name, workspace_id: SAMPLE.workspace, requests: 3, successful: 2, errors: 1, rate_limited: 0 },
          ...{ tokens_in: 120, tokens_out: 480, duration_ms: 2_400, audio_ms: 12_000 },
          duration: { count: 3, p50_ms: 702, p90_ms: 702, p95_ms: 702, p99_ms: 702 },
          first_token: { count: 2, p50_ms: 180, p90_ms: 180, p95_ms: 180, p99_ms: 180 },
          errors_by_code: [{ code: 'PROVIDER_TIMEOUT', count: 1 }],
        },
      ],
    },
    text: 'key,name,workspace_id,requests,…\r\n',
  },
  getRequest: {
    description:
      'By the id of the request (`X-Request-Id`) or of a turn: when each turn came to what, which connections were tried, and why. Of turns only: a ' +
      'request that was rejected before its turn began is in the log of the edge. No content.',
    response: { turns: [TURN] },
  },
  listTurns: {
    description:
      'Newest first, by cursor; without a workspace those of all, which needs a role for the whole gateway. A page reads at most 10,000 turns, so that its time does not depend on how many match: with filters that few turns ' +
      'match, ask on with `next_cursor` until it is null.',
    response: { turns: [TURN], next_cursor: SAMPLE.turn },
  },
  listKeys: {
    description:
      'Never the keys themselves. By cursor (`cursor=` for the first page, then the link `next`) nothing is counted, and every key that is there all the while is read ' +
      'exactly once. A search for one letter, or two of ASCII, finds names that begin with it.',
    response: [KEY],
  },
  getKey: { description: 'Never the key itself.', response: KEY },
  createKey: {
    description: 'The answer is the only place where the key is shown.',
    request: { name: 'assistant', scopes: ['chat', 'conversations'], workspace_id: SAMPLE.workspace, user_id: SAMPLE.user },
    response: {
      ...{
        id: KEY.id,
        name: KEY.name,
        prefix: KEY.prefix,
        scopes: KEY.scopes,
        project: null,
        quotas: QUOTAS,
        expires_at: null,
        created_at: KEY.created_at,
      },
      key: 'gmk_live_3fK9sW2mQ7xZ1bN5vC8dL4tR6yP0aG3hJ9kE2uMw',
    },
  },
  updateKey: {
    description: 'In effect at every edge within a second.',
    request: { quotas: { requests: '10000 per 1 day' } },
    response: KEY,
  },
  revokeKey: { description: 'Within a second, everywhere.', response: { ...KEY, revoked_at: SAMPLE.later } },
  listAdminConnections: { description: 'Never their secrets. By offset or by cursor, as the list of keys.', response: [ACCOUNT] },
  getConnection: { description: 'Never its secret.', response: ACCOUNT },
  createConnection: {
    description:
      'Give either `api_key` or `password`; it is encrypted at once and never shown. With `take_back` the conversations of connections that were ' +
      'removed under this label go on with this one.',
    request: {
      ...{ provider: 'sandbox', label: 'main', base_url: 'http://127.0.0.1:9090', account: 'acc-1', password: 'of the account' },
      aliases: { fast: 'sandbox-1' },
    },
    response: { ...ACCOUNT, conversations_left: 0, conversations_taken: 0 },
  },
  rotateSecrets: { description: 'To call after a new key is first in `PARLEY_SECRET_KEYS`.', response: { rotated: 3, key_id: 'k2' } },
  updateConnection: {
    description: 'A new secret reconnects the account.',
    request: { enabled: true, max_concurrency: 4 },
    response: { ...ACCOUNT, max_concurrency: 4 },
  },
  deleteConnection: {
    description:
      'Its conversations stay readable, with the continuity status `access_lost`, and can be taken back by a connection of the same label. With ' +
      '`move_to` they go on there: where neither provider keeps conversations, or where both connections are the same account.',
    response: { deleted: true, conversations: 12, moved: 12 },
  },
  testConnection: {
    description:
      'A connection that does not work is a result, not an error. Models that the upstream lists now are adopted, unless an operator named them.',
    response: { ok: true, code: null, message: 'the account works', models: ['sandbox-1'], connection: ACCOUNT },
  },
  listRouteProfiles: { description: 'Of one workspace.', response: [PROFILE] },
  putRouteProfile: {
    description:
      'A profile that `X-Service-Route-Profile` selects. `priority` takes accounts in their order, `weighted` in proportion to `weights`, `least_loaded` by load.',
    request: { account_labels: ['main', 'other'], strategy: 'weighted', weights: [3, 1] },
    response: { ...PROFILE, account_labels: ['main', 'other'], strategy: 'weighted', weights: [3, 1] },
  },
  deleteRouteProfile: { description: 'Requests that name it are rejected from now on.' },
  listAdminProjects: { description: 'Bound or not.', response: [ADMIN_PROJECT] },
  registerProject: {
    description: 'It can be selected once it is bound.',
    request: { upstream_account_id: SAMPLE.account, upstream_reference: 'sp_4Kd8', workspace_id: SAMPLE.workspace },
    response: { ...ADMIN_PROJECT, bound: false },
  },
  bindProject: { description: 'At least one field is required.', request: { bound: true }, response: ADMIN_PROJECT },
  listInternalProjects: { description: 'Of one workspace.', response: [INTERNAL] },
  putInternalProject: {
    description: 'A project that `X-Service-Project` selects and keys can be bound to.',
    request: { name: 'Support', policy: 'allow_general' },
    response: INTERNAL,
  },
  deleteInternalProject: { description: 'Keys that are bound to it can do nothing more.' },
  exportConversation: {
    description: 'What import takes back.',
    response: { object: 'conversation.export', version: 1, conversation: CONVERSATION_SAMPLE, messages: [MESSAGE_SAMPLE] },
  },
  importConversation: {
    description: 'On an account of the workspace; the upstream gets the messages with the first turn.',
    request: { key_id: SAMPLE.key, title: 'Trip to the lighthouse', messages: [{ role: 'user', content: 'Where is it?' }] },
    response: {
      ...{ id: SAMPLE.conversation, status: 'active', title: CONVERSATION_SAMPLE.title, upstream_account_id: SAMPLE.account },
      ...{ destination_type: 'general', created_at: SAMPLE.time },
    },
  },
  listWorkspaces: { description: 'All of them, oldest first. By offset or by cursor, as the list of keys.', response: [WORKSPACE] },
  getWorkspace: { description: 'Also for its members.', response: WORKSPACE },
  createWorkspace: {
    description:
      'Without keys and accounts. A person who creates it becomes its owner; the operator and service accounts create it without members.',
    request: { name: 'Acme' },
    response: WORKSPACE,
  },
  updateWorkspace: {
    description:
      'Keys of a disabled workspace are refused. Admins of the workspace itself may only rename it; the rest needs `workspaces.bound`.',
    request: { status: 'disabled' },
    response: { ...WORKSPACE, status: 'disabled' },
  },
  listUsers: {
    description: 'With the workspaces they belong to, oldest first. By offset or by cursor, as the list of keys.',
    response: [USER],
  },
  getUser: { description: 'With the workspaces the user belongs to.', response: USER },
  createUser: {
    description: 'A member of one workspace. With an email the person can be given a link to set a password.',
    request: { display_name: 'Ada', email: 'ada@example.com', workspace_id: SAMPLE.workspace },
    response: USER,
  },
  updateUser: {
    description:
      'Keys, sessions and tokens of a disabled user are refused. A role for the whole gateway is given by owners, who alone change an owner; a user cannot change their own.',
    request: { status: 'disabled' },
    response: { ...USER, status: 'disabled' },
  },
  listAdminActions: { description: 'Disabled actions included.', response: [ACTION_SAMPLE] },
  publishAction: {
    description: 'A document that is already published keeps its version.',
    request: { document: { arazzo: '1.0.1' }, sources: { tickets: { openapi: '3.1.0' } } },
    response: ACTION_SAMPLE,
  },
  validateAction: {
    description: 'Changes nothing.',
    request: { document: { arazzo: '1.0.1' }, sources: {} },
    response: { slug: null, valid: false, findings: [{ path: '/info', message: 'is missing' }] },
  },
  listActionVersions: {
    description: 'Newest first, at most 200. An older document that is published again is the current one again under its old number.',
    response: [{ version: 1, published_at: SAMPLE.time, current: true }],
  },
  getActionVersion: {
    description: 'Document and sources can be published again as they are, or changed.',
    response: {
      ...{ version: 1, published_at: SAMPLE.time, current: true },
      ...{ document: { arazzo: '1.0.1' }, sources: { tickets: { openapi: '3.1.0' } } },
    },
  },
  updateAction: {
    description: 'Runs that were accepted go on.',
    request: { enabled: false },
    response: { ...ACTION_SAMPLE, status: 'disabled' },
  },
  listActionCohort: { description: 'In the order in which they joined.', response: { workspace_ids: [SAMPLE.workspace] } },
  addToActionCohort: { description: 'Idempotent.' },
  removeFromActionCohort: { description: 'Runs that were accepted go on.' },
};
