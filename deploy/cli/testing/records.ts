import {
  type ApiKey,
  type Connection,
  type OidcProvider,
  type Project,
  type ServiceAccount,
  type Turn,
  type User,
  type Workspace,
} from '../gateway/response-schemas.ts';

const NO_QUOTAS = { requests: null, tokens: null, audio_seconds: null };

/** A key as the gateway lists it. */
export function keyRecord(change: Partial<ApiKey> = {}): ApiKey {
  return {
    id: '0190a000-0000-7000-8000-00000000000a',
    workspace_id: '0190a000-0000-7000-8000-000000000001',
    name: 'bootstrap',
    prefix: 'gmk_live_abcd',
    scopes: ['chat'],
    quotas: NO_QUOTAS,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    ...change,
  };
}

/** A connection as the gateway lists it. */
export function connectionRecord(change: Partial<Connection> = {}): Connection {
  return {
    id: '0190a000-0000-7000-8000-00000000000c',
    label: 'ollama',
    provider: 'openai-compatible',
    status: 'active',
    health: 'healthy',
    is_default: true,
    base_url: 'http://127.0.0.1:11434/v1',
    models: ['small', 'large'],
    ...{ pass: [], default_model: null, aliases: {}, resting_models: [], reason: null },
    last_used_at: '2026-03-01T11:55:00.000Z',
    ...change,
  };
}

/** An upstream project as the gateway lists it. */
export function projectRecord(change: Partial<Project> = {}): Project {
  return {
    id: '0190a000-0000-7000-8000-0000000000e1',
    name: 'Research',
    slug: 'research',
    bound: false,
    is_default: false,
    effective_memory_policy: 'provider_default',
    upstream_account_id: '0190a000-0000-7000-8000-00000000000c',
    ...change,
  };
}

/** A workspace as the gateway lists it. */
export function workspaceRecord(change: Partial<Workspace> = {}): Workspace {
  return {
    id: '0190a000-0000-7000-8000-000000000001',
    name: 'default',
    status: 'active',
    max_concurrency: null,
    quotas: NO_QUOTAS,
    ...change,
  };
}

/** A person as the gateway lists one. */
export function userRecord(change: Partial<User> = {}): User {
  return {
    ...{ id: '0190a000-0000-7000-8000-0000000000d1', display_name: 'Ada', email: 'ada@example.com', status: 'active' },
    ...{ instance_role: null, requires_second_factor: false, last_sign_in_at: null },
    ...change,
  };
}

/** A service account as the gateway lists it. */
export function serviceAccountRecord(change: Partial<ServiceAccount> = {}): ServiceAccount {
  return {
    ...{ id: '0190a000-0000-7000-8000-0000000000a1', name: 'deploy', status: 'active', instance_role: 'auditor' },
    ...{ workspace_id: null, workspace_role: null, expires_at: null, last_used_at: null },
    ...change,
  };
}

/** An OpenID Connect provider as the gateway lists it. */
export function oidcProviderRecord(change: Partial<OidcProvider> = {}): OidcProvider {
  return {
    ...{ id: '0190a000-0000-7000-8000-0000000000f9', slug: 'company', name: 'Company', issuer: 'https://login.example.com' },
    ...{ client_id: 'parley', has_client_secret: true, scopes: ['openid', 'email'], group_claim: 'groups' },
    role_mappings: [{ group: 'staff', workspace_id: '0190a000-0000-7000-8000-000000000001', workspace_role: 'member' }],
    ...{ allow_sign_up: true, allowed_domains: ['example.com'], status: 'active', is_from_environment: false },
    ...change,
  };
}

/** A turn as the gateway shows it. */
export function turnRecord(change: Partial<Turn> = {}): Turn {
  const connection = { id: '0190a000-0000-7000-8000-00000000000c', label: 'main' };
  return {
    ...{ turn_id: '0190a000-0000-7000-8000-0000000000f1', request_id: 'trip/42', conversation_id: '0190a000-0000-7000-8000-0000000000f2' },
    ...{ workspace_id: '0190a000-0000-7000-8000-000000000001', key_id: '0190a000-0000-7000-8000-00000000000a', model: 'sandbox-1' },
    ...{
      connection,
      status: 'completed',
      error: null,
      tokens_in: 3,
      tokens_out: 5,
      started_at: '2026-03-01T11:55:00.000Z',
      duration_ms: 95,
    },
    attempts: [{ connection, outcome: 'ok', upstream_message: null }],
    timeline: [
      { at_ms: 0, event: 'edge.received', detail: 'request trip/42' },
      { at_ms: 50, event: 'upstream.accepted', detail: 'the answer began' },
      { at_ms: 100, event: 'record.ended', detail: 'completed' },
    ],
    ...change,
  };
}
