import { type Connection } from '../connections/connection.ts';
import { type ProfileRow, type RoutingProject } from '../store/routing-rules.ts';

/**
 * Why the first connection of a turn was chosen, as the turn record stores it; the first reason that applies. `continued`: the conversation
 * is bound to it. `named`: the request names it. `project`: the upstream project belongs to it. `profile`: the route profile lists its
 * label. `only`: no other connection is enabled, has credentials and offers the model. `healthiest`: the best of several by health, free
 * slots and load.
 */
export type RouteReason = 'continued' | 'named' | 'project' | 'profile' | 'only' | 'healthiest';

/** The criteria that applied to the choice of a connection that is not bound by the conversation. */
export interface RouteCriteria {
  named?: Connection | undefined;
  project?: RoutingProject | undefined;
  profile: ProfileRow | undefined;
  /** Number of eligible connections, regardless of their health. */
  eligible: number;
}

/** Returns the first reason that applies to a connection chosen by these criteria. */
export function toRouteReason({ named, project, profile, eligible }: RouteCriteria): Exclude<RouteReason, 'continued'> {
  if (named) return 'named';
  if (project) return 'project';
  if (profile && profile.accountLabels.length > 0) return 'profile';
  return eligible === 1 ? 'only' : 'healthiest';
}
