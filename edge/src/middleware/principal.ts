import { type Caller } from '@parley/kit/rpc/call';
import { NOOP_SPAN, type Span } from '@parley/kit/telemetry/span';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { type Quota } from '../config/quota-policy.ts';
import { type Rights } from '../config/roles.ts';
import { type Scope } from '../config/scopes.ts';
import { type SessionRecord } from '../store/sessions.ts';

/** A caller with the span of its request. */
export interface TracedCaller extends Caller {
  /** The span of the request; calls to services are its children (`clients.ts`). */
  readonly span: Span;
}

/** The actor whose roles are checked and whom the audit log records: on the control plane and in login sessions. */
export interface Actor {
  readonly kind: 'operator' | 'user' | 'service_account';
  /** Id of the user or the service account; null for the operator. */
  readonly id: string | null;
  /** Id of the login session or of the token; null when there is neither. */
  readonly sessionId: string | null;
  /** IP address of the client. */
  readonly address: string;
  readonly rights: Rights;
}

/** The authenticated caller of a request: the fields that services receive, and those that only the edge uses. */
export interface Principal extends TracedCaller {
  /** True for the operator key, which has no key id and no workspace. */
  readonly operator: boolean;
  /** Absent for an API key of a workspace. */
  readonly actor?: Actor;
  /** The login session; only on operations of people. */
  readonly session?: SessionRecord;
  /** Most concurrent requests of its workspace at this edge; null or absent for the configured default. */
  readonly maxConcurrency?: number | null;
  /** Slug of the internal project that the key is bound to; empty for an unbound key. */
  readonly project: string;
  /** The quotas of its key and workspace; empty for the operator. */
  readonly quotas: readonly Quota[];
}

/** A principal without key and workspace; callers add the request id and the span. */
export const EMPTY_PRINCIPAL: Principal = {
  workspaceId: '',
  keyId: '',
  userId: '',
  scopes: [],
  requestId: '',
  span: NOOP_SPAN,
  operator: false,
  project: '',
  quotas: [],
};

/**
 * Rejects a principal that lacks the scope.
 * @throws GatewayError MISSING_SCOPE, or TENANT_ACCESS_DENIED for the operator, who belongs to no workspace
 */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  if (principal.operator) throw new GatewayError('TENANT_ACCESS_DENIED', 'the operator key does not belong to a workspace');
  // For actions the published API defines this message, without the scope.
  const message = scope.startsWith('actions:') ? 'Missing scope' : `the API key lacks the scope ${scope}`;
  throw new GatewayError('MISSING_SCOPE', message, { param: scope });
}

/** Returns the caller for an operation in one workspace; for the operator, who has none, the default workspace. */
export function withDefaultWorkspace(principal: Principal): Principal {
  return principal.operator ? { ...principal, workspaceId: DEFAULT_WORKSPACE_ID } : principal;
}
