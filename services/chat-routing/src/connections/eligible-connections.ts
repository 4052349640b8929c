import { GatewayError } from '@parley/protos/errors';
import { type ProfileRow, type RoutingProject } from '../store/routing-rules.ts';
import { type Connection } from './connection.ts';

/** Request header that selects a connection by label. */
export const CONNECTION_HEADER = 'X-Service-Upstream-Account';
/** Request header that selects a route profile by slug. */
export const PROFILE_HEADER = 'X-Service-Route-Profile';

/** Requirements of a new conversation for its connection. */
export interface ConnectionFilter {
  /** The explicitly selected connection, if any. */
  named: Connection | undefined;
  /** The field or header that selects it, used as `param` of errors. */
  param: string;
  project?: RoutingProject | undefined;
  profile?: ProfileRow | undefined;
  /** `auto`, a model or an alias. */
  model: string;
}

/**
 * Returns the connections that a new conversation may use; may be empty. Throws the coded error when the selected connection is not usable,
 * and INVALID_REQUEST or PROVIDER_MODEL_NOT_FOUND when no connection offers the model.
 */
export function listEligibleConnections(connections: readonly Connection[], filter: ConnectionFilter): readonly Connection[] {
  const { named, project, profile, model } = filter;
  if (named) requireUsableConnection(named, filter);
  const candidates = named ? [named] : connections;
  if (!candidates.some((connection) => connection.offersModel(model))) throw unknownModelError(candidates, model);
  return candidates.filter(
    (connection) =>
      connection.ready &&
      connection.offersModel(model) &&
      (!project || connection.id === project.connectionId) &&
      isAllowedByProfile(profile, connection),
  );
}

/** Resolves the requested name to a model of the connection; returns the name unchanged when the connection does not offer it. */
export function resolveModelName(connection: Connection, model: string): string {
  return connection.resolveModel(model) ?? model;
}

/** Whether a route profile allows a connection; true without a profile or without labels in it. */
export function isAllowedByProfile(profile: ProfileRow | undefined, connection: Connection): boolean {
  return !profile || profile.accountLabels.length === 0 || profile.accountLabels.includes(connection.row.label);
}

/** Throws unless an explicitly selected connection is active and matches the selected project and profile. */
export function requireUsableConnection(
  connection: Connection,
  { param, project, profile }: Partial<Omit<ConnectionFilter, 'named' | 'model'>>,
): void {
  if (project && project.connectionId !== connection.id) {
    throw new GatewayError('VALIDATION_ERROR', 'the upstream project belongs to another account', { param });
  }
  if (!isAllowedByProfile(profile, connection))
    throw new GatewayError('VALIDATION_ERROR', 'the profile excludes the selected account', { param: PROFILE_HEADER });
  if (!connection.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the selected account is not active', { param });
  switch (connection.admission()) {
    case 'expired':
      throw new GatewayError('ACCOUNT_REAUTH_REQUIRED_SELECTED', 'the session of the selected account has expired');
    case 'rate_limited':
      throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits the selected account', {
        retryAfterMs: connection.cooldownMs(),
      });
    case 'closed':
    case 'half_open':
    case 'open':
  }
}

/** Creates the error for a model that no connection offers now: PROVIDER_MODEL_NOT_FOUND when it is paused, else INVALID_REQUEST. */
export function unknownModelError(connections: readonly Connection[], model: string): GatewayError {
  const name = JSON.stringify(model.slice(0, 200));
  if (connections.some((connection) => connection.hasModelName(model)))
    return new GatewayError('PROVIDER_MODEL_NOT_FOUND', `the providers that list the model ${name} do not know it now`, { param: 'model' });
  return new GatewayError('INVALID_REQUEST', `no connected account offers the model ${name}`, { param: 'model' });
}
