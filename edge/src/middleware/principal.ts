import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { type Caller } from '@parley/kit/rpc/call';
import { NO_SPAN, type Span } from '@parley/kit/telemetry/span';
import { GatewayError } from '@parley/protos/errors';
import { type Quota } from '../config/quota-policy.ts';
import { type Rights } from '../config/roles.ts';
import { type Scope } from '../config/scopes.ts';
import { type SessionRecord } from '../store/sessions.ts';

/** A caller, and the trace of its request. */
export interface TracedCaller extends Caller {
  /** The span of its request, in which every call is made for it (`clients.ts`). */
  readonly span: Span;
}

/** Who acts where a role decides and the audit log tells: on the control plane and in login sessions. */
export interface Actor {
  readonly kind: 'operator' | 'user' | 'service_account';
  /** Of the user or the service account; null for the operator. */
  readonly id: string | null;
  /** The login session, or the id of the token. */
  readonly sessionId: string | null;
  /** Address of the client. */
  readonly address: string;
  readonly rights: Rights;
}

/** The authenticated caller: what the services get, and what only the edge needs. */
export interface Principal extends TracedCaller {
  /** Acts on the control plane, without a key id or a workspace. */
  readonly operator: boolean;
  /** Absent for the key of a workspace. */
  readonly actor?: Actor;
  /** The login session, on the surface of people. */
  readonly session?: SessionRecord;
  /** Concurrent requests of its workspace at this edge; the configured number by default. */
  readonly maxConcurrency?: number | null;
  /** Slug of the internal project the key is bound to; empty for a free key. */
  readonly project: string;
  /** Its quotas; the operator has none. */
  readonly quotas: readonly Quota[];
}

/** A principal that has no key and no workspace. */
export const NO_WORKSPACE: Principal = {
  workspaceId: '',
  keyId: '',
  userId: '',
  scopes: [],
  requestId: '',
  span: NO_SPAN,
  operator: false,
  project: '',
  quotas: [],
};

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
