import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { type Caller } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type Quota } from '../config/quota-policy.ts';
import { type Scope } from '../config/scopes.ts';

/** The authenticated caller: what the services get, and what only the edge needs. */
export interface Principal extends Caller {
  /** The operator has no key id and no workspace. */
  readonly operator: boolean;
  /** Concurrent requests of its workspace at this edge; the configured number by default. */
  readonly maxConcurrency?: number | null;
  /** Slug of the internal project the key is bound to; empty for a free key. */
  readonly project: string;
  /** Its quotas; the operator has none. */
  readonly quotas: readonly Quota[];
}

/**
 * Rejects a principal without the scope; the operator belongs to no workspace and is rejected where one is needed.
 * @throws GatewayError MISSING_SCOPE or TENANT_ACCESS_DENIED
 */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  if (principal.operator) throw new GatewayError('TENANT_ACCESS_DENIED', 'the operator key does not belong to a workspace');
  // For actions the published API has this message, without the scope.
  const message = scope.startsWith('actions:') ? 'Missing scope' : `the API key lacks the scope ${scope}`;
  throw new GatewayError('MISSING_SCOPE', message, { param: scope });
}

/** The caller for an operation in one workspace; for the operator, who has none, the default one. */
export function inWorkspace(principal: Principal): Principal {
  return principal.operator ? { ...principal, workspaceId: DEFAULT_WORKSPACE_ID } : principal;
}
