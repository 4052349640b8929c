import { Linked } from '@parley/kit/collections/linked-set';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { earliestCooldown } from '../accounts/account-plan.ts';
import { isRecordAway } from '../conversation/record-error.ts';
import { pickMostUsefulError } from '../domain/attempts.ts';
import {
  findNextState,
  FIRST_TURN_STATE,
  hasEnded,
  isAnswering,
  isRecording,
  isRetrying,
  isStartCommitted,
  type TurnStateEvent,
} from '../domain/turn-state.ts';
import { NO_USAGE, findValidUsage, type Usage } from '../domain/usage.ts';
import { type TurnHandle, type TurnSink, type UpstreamArtifact, type UpstreamOutcome } from '../providers/upstream-turn.ts';
import { Answer } from './answer.ts';
import { Attempt } from './attempt.ts';
import { AttemptLog } from './attempt-log.ts';
import { type TurnDeps } from './deps.ts';
import { discardAttempt } from './discard-attempt.ts';
import { mayTryAgain, nextRoute } from './fail-over.ts';
import { PartialKeeper } from './partial-keeper.ts';
import { Relay } from './relay.ts';
import { releaseRoute } from './slot.ts';
import { toUpstreamTurn, type UpstreamOrigin } from './to-upstream-turn.ts';
import { type TurnContext } from './turn-context.ts';
import { noteTurnContinuity, toEndTurn, type TurnOutcome } from './turn-end.ts';

/** What is known of an outcome before the turn adds its own part. */
type UpstreamEnd = Pick<TurnOutcome, 'error' | 'finishReason' | 'upstreamState'> & { usage?: Usage | undefined };

/**
 * A turn that has a connection: relays the answer of the upstream and records the outcome, also when the client has left. `domain/turn-state.ts`
 * lists its states. Until an upstream has accepted it, a failed attempt is followed by one on another connection, where the turn may go there
 * (docs/routing.md). Nothing is sent before the start is committed, though the upstream may be asked beside that commit.
 */
export class Turn extends Linked implements TurnSink {
  readonly #deps: TurnDeps;
  readonly #context: TurnContext;
  readonly #settled: () => void;
  readonly #startedAt = performance.now();
  readonly #relay: Relay;
  readonly #partials: PartialKeeper;
  readonly #answer = new Answer();
  #state = FIRST_TURN_STATE;
  #origin: UpstreamOrigin;
  /** The attempt under way, or the last one. */
  #attempt: Attempt;
  /** Unset until an attempt has failed. */
  #attempts: AttemptLog | undefined;
  #handle: TurnHandle | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Set once the turn has ended. */
  #outcome: TurnOutcome | undefined;
  /** Resolves what waits until the start is committed or the turn has ended. */
  #startSettled: (() => void) | undefined;
  /** The client no longer waits for the answer. */
  #isClientGone: boolean;
  /** Why the gateway stops the turn itself. */
  #stopReason: GatewayError | undefined;

  /** The turn holds a slot of its connection already. `settled` is called once, when the turn is closed. */
  constructor(deps: TurnDeps, context: TurnContext, settled: () => void) {
    super();
    const { route, start, stream, request, call } = context;
    this.#deps = deps;
    this.#context = context;
    this.#settled = settled;
    this.#isClientGone = call.abandoned !== undefined;
    this.#attempt = new Attempt(route);
    this.#origin = { upstreamState: '', askedTurnId: start.turnId, upstreamTurnId: start.turnId };
    this.#relay = new Relay(stream, request.stream);
    this.#partials = new PartialKeeper(deps.recorder, start.turnId);
    stream.onCancel = () => this.#leave();
  }

  /** Puts the turn to the upstream. A new turn of a new conversation needs no origin. */
  start(origin: UpstreamOrigin = this.#origin): void {
    if (this.#hasEnded()) return;
    this.#origin = origin;
    if (this.#isClientGone) return this.#end({ finishReason: 'stop', upstreamState: origin.upstreamState });
    this.#startTimer();
    this.#ask();
  }

  /** The start is committed: what the upstream has answered meanwhile is sent. */
  startCommitted(): void {
    this.#move('startCommitted');
    this.#announce();
  }

  /** The start was not committed, or that is not known: the client gets the error, and the turn ends as failed if it is on record. */
  startLost(error: GatewayError): void {
    if (!findNextState(this.#state, 'startLost')) return;
    this.#stopReason = error;
    const isAccepted = this.#isAccepted();
    if (!this.#hasEnded()) this.#settle({ error, finishReason: '', upstreamState: '' });
    this.#move('startLost');
    this.#handle?.stop();
    this.#failUnrecorded(error);
    const outcome = { status: 'failed', error, isAccepted, finishReason: isAccepted ? 'error' : '', upstreamState: '' } as const;
    this.#deps.recorder.giveUp(this.#toEndTurn(outcome, NO_USAGE), error, this.#context.call.caller);
    this.#settled();
  }

  /** Ends the turn early with an error for the client; what arrived is recorded. */
  stop(error: GatewayError): void {
    if (this.#hasEnded() || this.#stopReason) return;
    this.#stopReason = error;
    if (isRetrying(this.#state)) this.#end({ error, finishReason: '', upstreamState: '' });
    else if (this.#handle) this.#handle.stop();
    else this.failed(error);
  }

  accepted(): void {
    if (!this.#move('accepted')) return;
    this.#attempt.accept();
    this.#announce();
  }

  deltas(texts: string[]): void {
    if (this.#ignoresAnswer()) return;
    const weight = this.#answer.appendText(texts);
    if (isStartCommitted(this.#state)) this.#partials.offer(this.#answer.text);
    this.#relay.deltas(texts, weight);
    if (this.#answer.isTooLong) this.stop(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an answer beyond 8 MB'));
  }

  reasoning(texts: string[]): void {
    if (!this.#ignoresAnswer()) this.#relay.reasoning(texts, this.#answer.appendReasoning(texts));
  }

  artifact(made: UpstreamArtifact): void {
    if (this.#ignoresAnswer()) return;
    const { account } = this.#attempt.route;
    const artifact = this.#answer.addArtifact(made, account.id);
    if (!artifact) return;
    this.#relay.artifact(artifact);
    if (made.kind === 'image') this.#deps.accounts.health.feature(account, 'images', true);
  }

  finished({ finishReason, upstreamState, usage }: UpstreamOutcome): void {
    this.#end({ finishReason, upstreamState, usage, error: this.#stopReason });
  }

  failed(error: GatewayError, upstreamState = ''): void {
    const isFinal = this.#isAccepted() || this.#isClientGone || this.#stopReason !== undefined || this.#hasEnded();
    if (isFinal || !mayTryAgain(this.#attempt.route, error))
      this.#end({ error: this.#stopReason ?? error, finishReason: '', upstreamState });
    else void this.#tryAgain(error, upstreamState);
  }

  /** Takes the transition of an event; false where the event changes nothing. Whatever leads to `recording` begins it. */
  #move(event: TurnStateEvent): boolean {
    const last = this.#state;
    const next = findNextState(last, event);
    if (!next) return false;
    this.#state = next;
    if (isStartCommitted(next) || hasEnded(next)) this.#startSettled?.();
    if (this.#outcome && isRecording(next) && !isRecording(last)) void this.#record(this.#outcome);
    return true;
  }

  #hasEnded(): boolean {
    return hasEnded(this.#state);
  }

  #isAccepted(): boolean {
    return this.#outcome?.isAccepted ?? isAnswering(this.#state);
  }

  #ignoresAnswer(): boolean {
    return this.#stopReason !== undefined || this.#hasEnded();
  }

  /** Begins the attempt. */
  #ask(): void {
    const attempt = this.#attempt;
    attempt.begin();
    const facts = {
      route: attempt.route,
      triedConnections: this.#attempts?.connections.size ?? 0,
      elapsedMs: performance.now() - this.#startedAt,
    };
    try {
      const turn = toUpstreamTurn(this.#deps, this.#context, this.#origin, facts);
      this.#handle = attempt.route.account.provider.chat(turn, this);
      this.#relay.attach(this.#handle);
    } catch (error) {
      this.failed(toGatewayError(error));
    }
  }

  /** The attempt failed before an upstream accepted the turn: another one follows, or the turn ends. */
  async #tryAgain(error: GatewayError, upstreamState: string): Promise<void> {
    const { start, call } = this.#context;
    const { route } = this.#attempt;
    this.#closeAttempt(error);
    this.#move('attemptFailed');
    const attempts = (this.#attempts ??= new AttemptLog());
    attempts.add({ connectionId: route.account.id, durationMs: this.#attempt.durationMs, error });
    attempts.warn(this.#deps.log, { turnId: start.turnId, requestId: call.caller.requestId });
    this.#handle = undefined;
    try {
      const failed = { context: this.#context, route, attempts, error, startCommitted: () => this.#whenStartCommitted() };
      const next = await nextRoute(this.#deps, failed);
      if (next && !this.#isClientGone && this.#move('attemptBegun')) return this.#askOn(next, route, error);
      if (next) releaseRoute(this.#deps, next);
      this.#end({ error, finishReason: '', upstreamState });
    } catch (thrown) {
      this.#end({ error: toGatewayError(thrown), finishReason: '', upstreamState });
    }
  }

  /** Begins the next attempt; on another connection it is a new turn for the upstream. */
  #askOn(next: Attempt['route'], last: Attempt['route'], error: GatewayError): void {
    this.#attempt = new Attempt(next);
    if (next.account !== last.account) {
      // An attempt that was never sent has left nothing behind.
      if (!error.upstream?.notSent) discardAttempt(this.#deps, last.account, this.#origin.upstreamTurnId);
      this.#origin = { ...this.#origin, upstreamState: '', upstreamTurnId: this.#context.start.turnId };
    }
    this.#ask();
  }

  /** The error for the client of a turn that was never accepted. */
  #finalError(error: GatewayError): GatewayError {
    const { plan, account } = this.#attempt.route;
    const [first = error, ...others] = this.#attempts?.errors ?? [];
    return pickMostUsefulError([first, ...others], earliestCooldown(plan ? plan.tiers.flat() : [account]));
  }

  /** False when the turn has ended before its start is committed. */
  async #whenStartCommitted(): Promise<boolean> {
    if (!isStartCommitted(this.#state) && !this.#hasEnded()) await new Promise<void>((resolve) => (this.#startSettled = resolve));
    return !this.#hasEnded();
  }

  /** One timer for each turn: sends `waiting` when the acceptance takes long, and ends the turn when the whole turn does. */
  #startTimer(): void {
    const { waitingMs, turnMs } = this.#deps.limits;
    const expire = () => this.stop(new GatewayError('PROVIDER_TIMEOUT', 'the turn took too long'));
    if (!this.#context.request.stream || waitingMs >= turnMs) {
      this.#timer = setTimeout(expire, turnMs);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(expire, turnMs - waitingMs);
      if (isStartCommitted(this.#state) && !this.#isAccepted()) this.#relay.wait(this.#toAccepted());
    }, waitingMs);
  }

  #announce(): void {
    if (isStartCommitted(this.#state) && this.#isAccepted()) this.#relay.announce(this.#toAccepted());
  }

  #toAccepted(): TurnAccepted {
    const { conversationId, assistantMessageId: messageId } = this.#context.start;
    return { conversationId, messageId, model: this.#attempt.route.model, created: Math.floor(Date.now() / 1000) };
  }

  /** The client is gone, but the turn goes on to its recorded end. */
  #leave(): void {
    this.#isClientGone = true;
    this.#handle?.stop();
  }

  /** The turn has ended; the outcome is recorded as soon as the start is, or with it. */
  #end(end: UpstreamEnd): void {
    if (this.#hasEnded()) return;
    this.#outcome = this.#settle(end);
    const isWithStart = this.#context.start.relaxed && !isStartCommitted(this.#state);
    this.#move(isWithStart ? 'endedWithStart' : 'ended');
  }

  /** Closes what is under way, for the outcome that follows. */
  #settle(end: UpstreamEnd): TurnOutcome {
    clearTimeout(this.#timer);
    const isAccepted = this.#isAccepted();
    if (!isRetrying(this.#state)) this.#closeLastAttempt(end.error);
    noteTurnContinuity(this.#deps, this.#context, this.#attempt.route, { error: end.error, isAccepted, isClientGone: this.#isClientGone });
    const error = this.#stopReason ?? (end.error && !isAccepted ? this.#finalError(end.error) : end.error);
    const finishReason = !error ? end.finishReason : isAccepted ? 'error' : '';
    const status = this.#isClientGone ? 'interrupted' : error ? 'failed' : 'completed';
    return { ...end, error, isAccepted, finishReason, status };
  }

  #closeLastAttempt(error: GatewayError | undefined): void {
    const attempt = this.#attempt;
    this.#closeAttempt(error);
    // A turn that the first upstream accepted needs no list of attempts; one that none accepted has the reasons.
    if (!this.#attempts && (!error || this.#isAccepted() || !attempt.hasBegun)) return;
    this.#attempts ??= new AttemptLog();
    this.#attempts.add({ connectionId: attempt.route.account.id, durationMs: attempt.durationMs, error });
  }

  #closeAttempt(error: GatewayError | undefined): void {
    const end = { error, isAccepted: this.#isAccepted(), isClientGone: this.#isClientGone };
    this.#attempt.close(this.#deps, this.#context.start.conversationId, end);
  }

  async #record(outcome: TurnOutcome): Promise<void> {
    const { stream, call, request } = this.#context;
    try {
      const usage = findValidUsage(outcome.usage) ?? (await this.#countTokens());
      await this.#deps.recorder.end(this.#toEndTurn(outcome, usage), call.caller);
      // The outcome of a deferred start is committed with it.
      this.#move('startCommitted');
      this.#announce();
      if (outcome.error) return this.#failRecorded(outcome.error);
      const [text, reasoning] = request.stream ? ['', ''] : [this.#answer.text, this.#answer.reasoning];
      const value = { finishReason: outcome.finishReason, ...usage, text, reasoning };
      stream.end({ event: { $case: 'completed', value } }, text.length + reasoning.length);
    } catch (failure) {
      this.#failRecorded(toGatewayError(failure));
    } finally {
      this.#move('recorded');
      this.#settled();
    }
  }

  #toEndTurn(outcome: TurnOutcome, usage: Usage): EndTurn {
    const result = { answer: this.#answer, attempts: this.#attempts, usage, durationMs: performance.now() - this.#startedAt };
    return toEndTurn(this.#context.start, this.#attempt.route, outcome, result);
  }

  /** Sends the error of a turn that is on record behind `recorded`, so that the edge does not count it again. */
  #failRecorded(error: GatewayError): void {
    if (isStartCommitted(this.#state)) this.#context.stream.write({ event: { $case: 'recorded', value: {} } }, 0);
    this.#context.stream.fail(error);
  }

  /** Sends the error of a start that was not committed. Where that is not known, the record counts the turn if it is there. */
  #failUnrecorded(error: GatewayError): void {
    const { stream } = this.#context;
    if (isRecordAway(error)) stream.write({ event: { $case: 'recorded', value: {} } }, 0);
    stream.fail(error);
  }

  /** Counts the tokens where the upstream does not; a turn that was not accepted has used none. */
  async #countTokens(): Promise<Usage> {
    if (!this.#isAccepted()) return NO_USAGE;
    const prompt = this.#context.request.messages.map(({ text }) => text).join('\n');
    const [tokensIn, tokensOut] = await Promise.all([this.#deps.tokens.count(prompt), this.#deps.tokens.count(this.#answer.text)]);
    return { tokensIn, tokensOut };
  }
}
