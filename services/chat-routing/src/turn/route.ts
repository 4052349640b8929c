import { type Call, onBehalfOf } from '@parley/kit/rpc/call';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { type FileRow } from '../store/files.ts';
import { type ProfileRow, type ProjectRow } from '../store/routing-rules.ts';
import { type AccountPlan } from './account-plan.ts';
import { type TurnDeps } from './deps.ts';
import { recordError } from './record-error.ts';

/** Where a turn goes: the account is chosen for a new conversation and given for one that goes on. */
export interface Route {
  account: Account;
  model: string;
  /** What the turn adds to its conversation. */
  messages: readonly TurnMessage[];
  /** What is attached to the last of them; unset where nothing is. */
  files?: readonly FileRow[];
  conversationId: string;
  /** Sequence the turn takes in its conversation. */
  sequence: number;
  /** Set for a conversation that goes on. */
  binding?: Binding;
  /** The conversation is the one that a refused first attempt of this request opened, and still up for whoever comes first. */
  reclaimed?: boolean;
  /** The upstream project of the conversation. */
  project: ProjectRow | undefined;
  /** The turn is the one that probes a half-open account. */
  probing: boolean;
  /** The account counts the turn already. */
  hasRoom: boolean;
  /** Where else the turn may go before an upstream has accepted it; unset for one that stays on its account. */
  plan?: AccountPlan;
}

const OPEN_MS = 2_000;

/** Headers that select an account (spec §4.1). */
export const ACCOUNT_HEADER = 'X-Service-Upstream-Account';
export const PROFILE_HEADER = 'X-Service-Route-Profile';

/** Reads where a conversation stands. Throws SERVICE_UNAVAILABLE when the record cannot be asked. */
export async function openConversation(deps: Pick<TurnDeps, 'conversation'>, conversationId: string, call: Call): Promise<Binding> {
  const question = { $case: 'open', value: { conversationId } } as const;
  const { answer } = await callMultiplexed(deps.conversation.record, { question }, onBehalfOf(call, OPEN_MS)).catch((error: unknown) => {
    throw call.abandoned ?? recordError(error);
  });
  if (answer?.$case !== 'binding') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
  return answer.value;
}

/** The account of a label. Throws CONNECTION_NOT_FOUND. */
export function requireLabel(accounts: readonly Account[], label: string): Account {
  const account = accounts.find(({ row }) => row.label === label);
  if (!account) throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this label', { param: ACCOUNT_HEADER });
  return account;
}

/** Refuses a model that no account in question offers now: none lists it, or it rests on those that do. */
export function unknownModel(accounts: readonly Account[], model: string): GatewayError {
  const name = JSON.stringify(model.slice(0, 200));
  if (accounts.some((account) => account.lists(model)))
    return new GatewayError('PROVIDER_MODEL_NOT_FOUND', `the providers that list the model ${name} do not know it now`, { param: 'model' });
  return new GatewayError('INVALID_REQUEST', `no connected account offers the model ${name}`, { param: 'model' });
}

/** A profile as the header names it; undefined without the header. Throws ROUTE_PROFILE_NOT_FOUND. */
export async function requireProfile(deps: TurnDeps, workspaceId: string, slug: string): Promise<ProfileRow | undefined> {
  if (!slug) return undefined;
  const profile = await deps.rules.findProfile(workspaceId, slug);
  if (!profile) throw new GatewayError('ROUTE_PROFILE_NOT_FOUND', 'no such route profile', { param: PROFILE_HEADER });
  return profile;
}
