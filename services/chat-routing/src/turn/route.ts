import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type AccountChoice, type AccountPlan } from '../accounts/account-plan.ts';
import { type Account } from '../accounts/account.ts';
import { ACCOUNT_HEADER, PROFILE_HEADER } from '../accounts/eligible-accounts.ts';
import { type FileRow } from '../store/files.ts';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';

/** Where a turn goes: its connection is chosen for a new conversation and given for one that goes on. */
export interface Route extends AccountChoice {
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
  plan?: AccountPlan;
}

/** The connection of a label. Throws CONNECTION_NOT_FOUND. */
export function requireLabel(accounts: readonly Account[], label: string): Account {
  const account = accounts.find(({ row }) => row.label === label);
  if (!account) throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this label', { param: ACCOUNT_HEADER });
  return account;
}

/** A profile as the header names it; undefined without the header. Throws ROUTE_PROFILE_NOT_FOUND. */
export async function requireProfile(deps: TurnDeps, workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
  if (!slug) return undefined;
  const profile = await deps.rules.findProfile(workspaceId, slug);
  if (!profile) throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such route profile', { param: PROFILE_HEADER });
  return profile;
}
