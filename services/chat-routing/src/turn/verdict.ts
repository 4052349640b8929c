import { type GatewayError } from '@parley/protos/errors';
import { type Account } from '../accounts/account.ts';
import { type Continuity, effectOf, type HealthEffect, healthEffectOf } from '../domain/failure.ts';
import { type TurnDeps } from './deps.ts';
import { type TurnParts } from './parts.ts';
import { type Route } from './route.ts';

const CONTINUITY_MS = 3_000;

/** What is known of a turn, or of an attempt to put it to an account, when it ends. */
export interface TurnFacts {
  error?: GatewayError | undefined;
  /** The upstream took the turn. */
  accepted: boolean;
  /** The client left before the end. */
  isGone: boolean;
  /** The secret the upstream was asked with. */
  secret: string;
  /** When the upstream was asked, on this process's monotonic clock. */
  startedAt?: number;
}

/** One attempt to put a turn to an account. */
export interface Attempt extends TurnFacts {
  account: Account;
  /** As the upstream was asked for it. */
  model: string;
  conversationId: string;
}

/**
 * Judges an account by how an attempt on it ended. What was asked with other credentials, or before it was connected anew, says nothing.
 * Milliseconds that the account takes no turns from now on; 0 when it does.
 */
function judgeAttempt({ accounts }: Pick<TurnDeps, 'accounts'>, attempt: Attempt): number {
  const { account, model, conversationId, secret, startedAt } = attempt;
  if (!account.isCurrent(secret, startedAt)) return 0;
  accounts.health.report(account, healthOfTurn(attempt), { model, conversationId });
  return account.cooldownMs();
}

/** Judges the account of a route by how an attempt on it ended, and gives the right to probe it back. */
export function judgeRoute(
  deps: Pick<TurnDeps, 'accounts'>,
  { account, model, probing }: Route,
  conversationId: string,
  facts: TurnFacts,
): void {
  judgeAttempt(deps, { ...facts, account, model, conversationId });
  if (probing) deps.accounts.health.releaseProbe(account);
  if (facts.error?.condition === 'IMAGE_GENERATION_UNAVAILABLE') deps.accounts.health.feature(account, 'images', false);
}

/** Notes what the end of a turn says about its conversation. */
export function noteEnd(deps: TurnDeps, { route, beginning, call }: TurnParts, { error, accepted, isGone }: TurnFacts): void {
  const { account, binding } = route;
  if (!binding || isGone) return;
  // A note that came late may have outlived what it said.
  const isStale = !error && accepted && binding.continuityStatus !== 'available';
  const continuity = isStale ? 'available' : error && continuityOf(account, error);
  if (continuity) noteContinuity(deps, beginning.conversationId, continuity, call.caller);
}

/** What a failure says about a conversation; that its session is over only once that is certain. */
export function continuityOf(account: Account, { condition }: GatewayError): Continuity | undefined {
  const { continuity } = effectOf(condition);
  return continuity === 'session_expired' && account.admission() !== 'expired' ? undefined : continuity;
}

/**
 * Judges the account by the failure of a call that is no turn, made with `secret`. That such a call succeeds proves nothing about turns, and
 * that it was wrong nothing about the account, so neither counts.
 */
export function judgeCall({ accounts }: Pick<TurnDeps, 'accounts'>, account: Account, secret: string, error: GatewayError): void {
  const health = healthEffectOf(error);
  if (SAYS_NOTHING.has(health) || !account.isCurrent(secret)) return;
  accounts.health.report(account, health);
}

/** Judges it by the failure of a call that it could serve turns without: only what says that it takes nothing any more counts. */
export function judgeAside(deps: Pick<TurnDeps, 'accounts'>, account: Account, secret: string, error: GatewayError): void {
  if (healthEffectOf(error) !== 'failure') judgeCall(deps, account, secret, error);
}

/** What the failure of a call that is no turn leaves the account as it was for. */
const SAYS_NOTHING: ReadonlySet<HealthEffect> = new Set(['ok', 'unknown', 'rejected', 'model']);

function healthOfTurn({ error, accepted, isGone }: TurnFacts): HealthEffect {
  if (isGone) return accepted ? 'ok' : 'unknown';
  return error ? healthEffectOf(error) : 'ok';
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
