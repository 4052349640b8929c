import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type ConnectionChoice, type ConnectionPlan } from '../connections/connection-plan.ts';
import { type Connection } from '../connections/connection.ts';
import { CONNECTION_HEADER, PROFILE_HEADER } from '../connections/eligible-connections.ts';
import { type FileRow } from '../store/files.ts';
import { findProfile, type ProfileRow, type RoutingProject } from '../store/routing-rules.ts';
import { type RouteReason } from './route-reason.ts';
import { type TurnDeps } from './turn-deps.ts';

/** The resolved target of a turn: connection, model, conversation and project. */
export interface Route extends ConnectionChoice {
  /** Why the first connection was chosen; unchanged after a failover. */
  reason: RouteReason;
  model: string;
  /** The messages that the turn adds to its conversation. */
  messages: readonly TurnMessage[];
  /** Files attached to the last user message; unset without attachments. */
  files?: readonly FileRow[];
  conversationId: string;
  /** Sequence of the turn in its conversation. */
  sequence: number;
  /** State of the existing conversation; unset for a new one. */
  binding?: Binding;
  /** A first attempt of this request, which no upstream accepted, created the conversation; the first of several retries continues it. */
  reclaimed?: boolean;
  /** The upstream project of the conversation; undefined without one. */
  project: RoutingProject | undefined;
  /** Connections that the turn may fail over to before an upstream accepts it; unset when it must stay on its connection. */
  plan?: ConnectionPlan | undefined;
}

/** Returns the connection with this label. Throws CONNECTION_NOT_FOUND. */
export function requireConnectionByLabel(connections: readonly Connection[], label: string): Connection {
  const connection = connections.find(({ row }) => row.label === label);
  if (!connection) throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this label', { param: CONNECTION_HEADER });
  return connection;
}

/** Returns the workspace's route profile with this slug; undefined for an empty slug (no header). Throws ROUTE_PROFILE_NOT_FOUND. */
export async function requireProfile(deps: TurnDeps, workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
  if (!slug) return undefined;
  const profile = await findProfile(deps.store.database, workspaceId, slug);
  if (!profile) throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such route profile', { param: PROFILE_HEADER });
  return profile;
}
