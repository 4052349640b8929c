import { ACTION } from './actions.ts';
import { CONVERSATION, MESSAGE } from './conversations.ts';
import { type DetailsById } from './details.ts';
import { CONNECTION, READINESS } from './discovery.ts';
import { PROJECT } from './resources.ts';
import { SAMPLE } from './samples.ts';

const QUOTAS = { requests: '10000 per 1 day', tokens: null, audio_seconds: null };
const KEY = {
  quotas: QUOTAS,
  ...{ id: SAMPLE.key, workspace_id: SAMPLE.workspace, user_id: SAMPLE.user, name: 'assistant', prefix: 'gmk_live_3fK9' },
  ...{ scopes: ['chat', 'conversations'], project: null, expires_at: null, revoked_at: null },
  ...{ last_used_at: SAMPLE.later, created_at: SAMPLE.time },
};
const ACCOUNT = {
  ...CONNECTION,
  ...{ workspace_id: SAMPLE.workspace, base_url: 'http://127.0.0.1:9090', models: ['sandbox-1'], supports: ['text', 'images'] },
  ...{ max_concurrency: null, pass: [], default_model: null, aliases: { fast: 'sandbox-1' }, resting_models: [], reason: null },
};
const PROFILE = { slug: 'fast', account_labels: ['main'], model: null, strategy: 'priority', weights: [] };
const ADMIN_PROJECT = { ...PROJECT, bound: true };
const INTERNAL = {
  ...{ id: SAMPLE.project, workspace_id: SAMPLE.workspace, slug: 'support', name: 'Support', policy: 'allow_general' },
  created_at: SAMPLE.time,
};
const WORKSPACE = {
  ...{ id: SAMPLE.workspace, name: 'Acme', status: 'active', quotas: QUOTAS, max_concurrency: null, created_at: SAMPLE.time },
};
const USER = {
  ...{ id: SAMPLE.user, display_name: 'Ada', status: 'active' },
  ...{ memberships: [{ workspace_id: SAMPLE.workspace, role: 'member' }], created_at: SAMPLE.time },
};

/** The operator's surface, which is no public contract. */
export const OPERATOR_DETAILS: DetailsById = {
  getStatus: {
    description: 'Answers also while services are down.',
    response: {
      ...{ version: '0.9.0', topology: 'single', instance: 'edge-1', started_at: SAMPLE.time, uptime_seconds: 12 },
      ...{ readiness: READINESS, connections: { total: 1, by_status: { active: 1 } } },
    },
  },
  listKeys: { description: 'Never the keys themselves.', response: [KEY] },
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
  listAdminConnections: { description: 'Never their secrets.', response: [ACCOUNT] },
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
    response: { object: 'conversation.export', version: 1, conversation: CONVERSATION, messages: [MESSAGE] },
  },
  importConversation: {
    description: 'On an account of the workspace; the upstream gets the messages with the first turn.',
    request: { key_id: SAMPLE.key, title: 'Trip to the lighthouse', messages: [{ role: 'user', content: 'Where is it?' }] },
    response: {
      ...{ id: SAMPLE.conversation, status: 'active', title: CONVERSATION.title, upstream_account_id: SAMPLE.account },
      ...{ destination_type: 'general', created_at: SAMPLE.time },
    },
  },
  listWorkspaces: { description: 'All of them.', response: [WORKSPACE] },
  createWorkspace: { description: 'Empty: without users, keys and accounts.', request: { name: 'Acme' }, response: WORKSPACE },
  updateWorkspace: {
    description: 'Keys of a disabled workspace are refused.',
    request: { status: 'disabled' },
    response: { ...WORKSPACE, status: 'disabled' },
  },
  listUsers: { description: 'With the workspaces they belong to.', response: [USER] },
  createUser: {
    description: 'A member of one workspace.',
    request: { display_name: 'Ada', workspace_id: SAMPLE.workspace },
    response: USER,
  },
  updateUser: {
    description: 'Keys of a disabled user are refused.',
    request: { status: 'disabled' },
    response: { ...USER, status: 'disabled' },
  },
  listAdminActions: { description: 'Disabled actions included.', response: [ACTION] },
  publishAction: {
    description: 'A document that is already published keeps its version.',
    request: { document: { arazzo: '1.0.1' }, sources: { tickets: { openapi: '3.1.0' } } },
    response: ACTION,
  },
  validateAction: {
    description: 'Changes nothing.',
    request: { document: { arazzo: '1.0.1' }, sources: {} },
    response: { slug: null, valid: false, findings: [{ path: '/info', message: 'is missing' }] },
  },
  updateAction: {
    description: 'Runs that were accepted go on.',
    request: { enabled: false },
    response: { ...ACTION, status: 'disabled' },
  },
  listActionCohort: { description: 'In the order in which they joined.', response: { workspace_ids: [SAMPLE.workspace] } },
  addToActionCohort: { description: 'Idempotent.' },
  removeFromActionCohort: { description: 'Runs that were accepted go on.' },
};
