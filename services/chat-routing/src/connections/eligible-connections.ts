import { GatewayError } from '@parley/protos/errors';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { type Connection } from './connection.ts';

/** Headers that select a connection. */
export const CONNECTION_HEADER = 'X-Service-Upstream-Account';
export const PROFILE_HEADER = 'X-Service-Route-Profile';

/** What a new conversation requires of its connection. */
export interface ConnectionFilter {
  /** The connection that was selected explicitly. */
  named: Connection | undefined;
  /** The field or header that selects it, as the param of its errors. */
  param: string;
  project?: ProjectRow | undefined;
  profile?: ProfileRow | undefined;
  /** `auto` or a model. */
  model: string;
}

/**
 * The connections that may take a new conversation. Throws why one that is selected may not, and INVALID_REQUEST for a model that no connection
 * offers.
 */
export function listEligibleConnections(connections: readonly Connection[], filter: ConnectionFilter): readonly Connection[] {
  const { named, project, profile, model } = filter;
  if (named) requireUsable(named, filter);
  const candidates = named ? [named] : connections;
  if (!candidates.some((connection) => connection.offers(model))) throw unknownModelError(candidates, model);
  return candidates.filter(
    (connection) =>
      connection.ready &&
      connection.offers(model) &&
      (!project || connection.id === project.connectionId) &&
      isAllowed(profile, connection),
  );
}

/** The model that a new conversation has on its connection. */
export function resolveModel(connection: Connection, model: string): string {
  return connection.modelFor(model) ?? model;
}

/** Whether a profile lets a turn go to a connection. */
export function isAllowed(profile: ProfileRow | undefined, connection: Connection): boolean {
  return !profile || profile.accountLabels.length === 0 || profile.accountLabels.includes(connection.row.label);
}

/** A connection that is selected explicitly must be usable right now, and agree with what else is selected. */
export function requireUsable(
  connection: Connection,
  { param, project, profile }: Partial<Omit<ConnectionFilter, 'named' | 'model'>>,
): void {
  if (project && project.connectionId !== connection.id) {
    throw new GatewayError('VALIDATION_ERROR', 'the upstream project belongs to another account', { param });
  }
  if (!isAllowed(profile, connection))
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

/** The refusal of a model that no connection in question offers now: no connection lists it, or those that do are resting it. */
export function unknownModelError(connections: readonly Connection[], model: string): GatewayError {
  const name = JSON.stringify(model.slice(0, 200));
  if (connections.some((connection) => connection.lists(model)))
    return new GatewayError('PROVIDER_MODEL_NOT_FOUND', `the providers that list the model ${name} do not know it now`, { param: 'model' });
  return new GatewayError('INVALID_REQUEST', `no connected account offers the model ${name}`, { param: 'model' });
}
