import { type Connection } from '../connections/connection.ts';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';

/**
 * Why a turn went to its first connection, as the record keeps it; the first that applies. `continued`: its conversation is bound to it. `named`:
 * the request names it. `project`: the upstream project is there. `profile`: it is among the labels of the route profile. `only`: no other
 * connection is enabled, has credentials and offers the model. `healthiest`: of several, the best by health, free slots and load.
 */
export type RouteReason = 'continued' | 'named' | 'project' | 'profile' | 'only' | 'healthiest';

/** What a connection was chosen by, for a turn whose conversation does not keep one. */
export interface ChoiceFacts {
  named?: Connection | undefined;
  project?: ProjectRow | undefined;
  profile: ProfileRow | undefined;
  /** How many connections were eligible, whatever their health. */
  eligible: number;
}

/** Why a connection was chosen. */
export function toRouteReason({ named, project, profile, eligible }: ChoiceFacts): Exclude<RouteReason, 'continued'> {
  if (named) return 'named';
  if (project) return 'project';
  if (profile && profile.accountLabels.length > 0) return 'profile';
  return eligible === 1 ? 'only' : 'healthiest';
}
