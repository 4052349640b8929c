import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type ConnectionChoice, type ConnectionPlan } from '../connections/connection-plan.ts';
import { type Connection } from '../connections/connection.ts';
import { CONNECTION_HEADER, PROFILE_HEADER } from '../connections/eligible-connections.ts';
import { type FileRow } from '../store/files.ts';
import { findProfile, type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { type RouteReason } from './route-reason.ts';
import { type TurnDeps } from './turn-deps.ts';

/** Where a turn goes: its connection is chosen for a new conversation and given for one that goes on. */
export interface Route extends ConnectionChoice {
  /** Why the turn goes to its first connection; it is the same where the turn goes elsewhere. */
  reason: RouteReason;
  model: string;
  /** What the turn adds to its conversation. */
  messages: readonly TurnMessage[];
  /** What is attached to the last of them; unset where nothing is. */
  files?: readonly FileRow[];
  conversationId: string;
  /** Sequence of the turn in its conversation. */
  sequence: number;
  /** Set for a conversation that goes on. */
  binding?: Binding;
  /** The conversation is the one that a refused first attempt of this request opened; the first of several retries gets it. */
  reclaimed?: boolean;
  /** The upstream project of the conversation. */
  project: ProjectRow | undefined;
  /** Where else the turn may go before an upstream has accepted it; unset for one that stays on its connection. */
  plan?: ConnectionPlan | undefined;
}

/** The connection of a label. Throws CONNECTION_NOT_FOUND. */
export function requireLabel(connections: readonly Connection[], label: string): Connection {
  const connection = connections.find(({ row }) => row.label === label);
  if (!connection) throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this label', { param: CONNECTION_HEADER });
  return connection;
}

/** A profile as the header names it; undefined without the header. Throws ROUTE_PROFILE_NOT_FOUND. */
export async function requireProfile(deps: TurnDeps, workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
  if (!slug) return undefined;
  const profile = await findProfile(deps.store.database, workspaceId, slug);
  if (!profile) throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such route profile', { param: PROFILE_HEADER });
  return profile;
}
