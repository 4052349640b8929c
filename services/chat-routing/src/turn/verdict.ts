import { type GatewayError } from '@parley/protos/errors';
import { type Account } from '../accounts/account.ts';
import { type Continuity, effectOf } from '../domain/failure.ts';
import { type TurnDeps } from './deps.ts';
import { type TurnParts } from './parts.ts';

const CONTINUITY_MS = 3_000;

/** What is known of a turn when it ends. */
export interface TurnFacts {
  error?: GatewayError;
  /** The upstream took the turn. */
  accepted: boolean;
  /** The client left before the end. */
  isGone: boolean;
  /** The secret the upstream was asked with. */
  secret: string;
}

/** Judges the account and the conversation by how a turn ended, and gives the right to probe back. */
export function judge(deps: TurnDeps, { route, beginning, call }: TurnParts, facts: TurnFacts): void {
  const { account, probing, binding } = route;
  const { health, continuity } = effectOfTurn(facts);
  // Credentials that were replaced meanwhile are not expired by a refusal of the old ones.
  if (health !== 'expired' || facts.secret === account.secret) deps.accounts.health.report(account, health);
  if (probing) deps.accounts.health.releaseProbe(account);
  // A note that came late may have outlived what it said.
  const stale = !facts.error && facts.accepted && !facts.isGone && binding !== undefined && binding.continuityStatus !== 'available';
  if (stale) noteContinuity(deps, beginning.conversationId, 'available', call.caller);
  if (continuity && binding) noteContinuity(deps, beginning.conversationId, continuity, call.caller);
  if (facts.error?.condition === 'IMAGE_GENERATION_UNAVAILABLE') deps.accounts.health.feature(account, 'images', false);
}

/**
 * Judges the account by the failure of a call that is no turn, made with `secret`. That such a call succeeds proves nothing about turns, so
 * only what goes wrong counts.
 */
export function judgeCall({ accounts }: Pick<TurnDeps, 'accounts'>, account: Account, secret: string, { condition }: GatewayError): void {
  const { health } = effectOf(condition);
  // Credentials that were replaced meanwhile are not expired by a refusal of the old ones.
  if (health === 'ok' || (health === 'expired' && secret !== account.secret)) return;
  accounts.health.report(account, health);
}

function effectOfTurn({ error, accepted, isGone }: TurnFacts): ReturnType<typeof effectOf> {
  if (isGone) return { health: accepted ? 'ok' : 'unknown' };
  return error ? effectOf(error.condition) : { health: 'ok' };
}

/** Judges it by the failure of a call that it could serve turns without: only what says that it takes nothing any more counts. */
export function judgeAside(deps: Pick<TurnDeps, 'accounts'>, account: Account, secret: string, error: GatewayError): void {
  if (['expired', 'rate_limited'].includes(effectOf(error.condition).health)) judgeCall(deps, account, secret, error);
}

/** What noting how a conversation stands needs. */
export type ContinuityDeps = Pick<TurnDeps, 'conversation' | 'log'>;

/** Records beside everything else how a conversation stands. */
export function noteContinuity(
  deps: ContinuityDeps,
  conversationId: string,
  status: Continuity,
  caller: TurnParts['call']['caller'],
): void {
  deps.conversation
    .setContinuity({ conversationId, status }, { caller, deadlineMs: CONTINUITY_MS })
    .catch((err: unknown) => deps.log.warn({ err, conversationId, status }, 'the continuity of a conversation was not recorded'));
}
