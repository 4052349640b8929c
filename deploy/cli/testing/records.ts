import { type ApiKey, type Connection, type Project, type Workspace } from '../gateway/answers.ts';

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
