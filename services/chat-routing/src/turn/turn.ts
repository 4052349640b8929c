import { LinkedSetMember } from '@parley/kit/collections/linked-set';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { isOutcomeUncertain } from '../conversation/conversation-errors.ts';
import {
  findNextState,
  INITIAL_TURN_STATE,
  hasEnded,
  isAnswering,
  isRecording,
  isRetrying,
  isStartCommitted,
  type TurnStateEvent,
} from '../domain/turn-state.ts';
import { NO_USAGE, findValidUsage, type Usage } from '../domain/usage.ts';
import { type TurnHandle, type TurnSink, type UpstreamArtifact, type UpstreamOutcome } from '../providers/upstream-turn.ts';
import { AnswerAccumulator } from './answer-accumulator.ts';
import { type AttemptEnd } from './attempt.ts';
import { discardAttempt } from './discard-attempt.ts';
import { canRetryTurn, acquireNextRoute } from './fail-over.ts';
import { PartialAnswerSaver } from './partial-answer-saver.ts';
import { type Route } from './route.ts';
import { releaseRoute } from './slot.ts';
import { toUpstreamTurn, type UpstreamContinuation } from './to-upstream-turn.ts';
import { TurnAttempts } from './turn-attempts.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';
import { countTurnTokens, recordTurnContinuity, toTurnEnd, type TurnOutcome } from './turn-end.ts';
import { TurnRelay } from './turn-relay.ts';
import { reportTurn } from './turn-telemetry.ts';

/** The part of an outcome that the upstream determines. */
type UpstreamEnd = Pick<TurnOutcome, 'error' | 'finishReason' | 'upstreamState' | 'usage' | 'model'>;

/**
 * A turn whose connection is chosen: relays the upstream's answer and records the outcome, even when the client has disconnected.
 * `domain/turn-state.ts` lists its states. Until an upstream has accepted it, a failed attempt is followed by one on another connection
 * where the route allows it (docs/routing.md). Nothing is sent to the client before the start is committed, though the upstream may be
 * called in parallel with that commit.
 */
export class Turn extends LinkedSetMember implements TurnSink {
  readonly #deps: TurnDeps;
  readonly #context: TurnContext;
  readonly #settled: () => void;
  readonly #relay: TurnRelay;
  readonly #partials: PartialAnswerSaver;
  readonly #answer = new AnswerAccumulator();
  #state = INITIAL_TURN_STATE;
  #origin: UpstreamContinuation;
  readonly #attempts: TurnAttempts;
  #handle: TurnHandle | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Set once the turn has ended. */
  #outcome: TurnOutcome | undefined;
  /** Resolves the promise of `#whenStartCommitted`. */
  #startSettled: (() => void) | undefined;
  /** Whether the client has disconnected. */
  #isClientGone: boolean;
  /** Error with which the gateway itself stops the turn; replaces the upstream's. */
  #stopReason: GatewayError | undefined;

  /** The route must already hold a slot of its connection. `settled` is called once, when the turn is closed. */
  constructor(deps: TurnDeps, context: TurnContext, settled: () => void) {
    super();
    const { start, stream, request, call, clock } = context;
    clock.note('opened');
    this.#deps = deps;
    this.#context = context;
    this.#settled = settled;
    this.#isClientGone = call.abortReason !== undefined;
    this.#attempts = new TurnAttempts(deps, context);
    this.#origin = { upstreamState: '', askedTurnId: start.turnId, upstreamTurnId: start.turnId };
    this.#relay = new TurnRelay(stream, request.stream);
    this.#partials = new PartialAnswerSaver(deps.recorder, start.turnId);
    stream.onCancel = () => this.#leave();
  }

  /** Sends the turn to the upstream. The first turn of a new conversation needs no origin. */
  start(origin: UpstreamContinuation = this.#origin): void {
    if (this.#hasEnded()) return;
    this.#origin = origin;
    if (this.#isClientGone) return this.#end({ finishReason: 'stop', upstreamState: origin.upstreamState });
    this.#startTimer();
    this.#ask();
  }

  /** Call when the start is committed: sends what the upstream has answered in the meantime. */
  markStartCommitted(): void {
    this.#context.clock.note('committed');
    this.#move('startCommitted');
    this.#announce();
  }

  /**
   * Call when the start was not committed or that is uncertain: the client gets the error, and the turn ends as failed if it is recorded.
   */
  markStartFailed(error: GatewayError): void {
    if (!findNextState(this.#state, 'startLost')) return;
    this.#stopReason = error;
    const isAccepted = this.#isAccepted();
    if (!this.#hasEnded()) this.#settle({ error, finishReason: '', upstreamState: '' });
    this.#move('startLost');
    this.#handle?.stop();
    const outcome = { status: 'failed', error, isAccepted, finishReason: isAccepted ? 'error' : '', upstreamState: '' } as const;
    reportTurn(this.#context, { outcome, error, usage: NO_USAGE, attempts: this.#attempts });
    // When it is uncertain whether the start was committed, the conversation service counts the turn if it has it.
    this.#relay.fail(error, isOutcomeUncertain(error));
    this.#deps.recorder.queueUncertainEnd(this.#toEndTurn(outcome, NO_USAGE), error, this.#context.onBehalf);
    this.#settled();
  }

  /** Ends the turn early with an error for the client; the part of the answer that arrived is recorded. */
  stop(error: GatewayError): void {
    if (this.#hasEnded() || this.#stopReason) return;
    this.#stopReason = error;
    if (isRetrying(this.#state)) this.#end({ error, finishReason: '', upstreamState: '' });
    else if (this.#handle) this.#handle.stop();
    else this.failed(error);
  }

  accepted(): void {
    if (!this.#move('accepted')) return;
    this.#attempts.markAccepted();
    this.#announce();
  }

  deltas(texts: string[]): void {
    if (!this.#takesAnswer()) return;
    const weight = this.#answer.appendText(texts);
    if (isStartCommitted(this.#state)) this.#partials.saveIfDue(this.#answer.text);
    this.#relay.sendDeltas(texts, weight);
    if (this.#answer.isTooLong) this.stop(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an answer beyond 8 MB'));
  }

  reasoning(texts: string[]): void {
    if (this.#takesAnswer()) this.#relay.sendReasoning(texts, this.#answer.appendReasoning(texts));
  }

  artifact(made: UpstreamArtifact): void {
    if (!this.#takesAnswer()) return;
    const { connection } = this.#attempts.route;
    const artifact = this.#answer.addArtifact(made, connection.id);
    if (!artifact) return;
    this.#relay.sendArtifact(artifact);
    if (made.kind === 'image') this.#deps.connections.health.recordFeature(connection, 'images', true);
  }

  finished(outcome: UpstreamOutcome): void {
    const { finishReason, upstreamState, usage, model } = outcome;
    const end = () => this.#end({ error: this.#stopReason, finishReason, upstreamState, usage, model });
    // After a stall the client may have received the error that the turn is lost and have disconnected; wait until that is known.
    const disconnectsRead = this.#deps.stallDetector?.whenDisconnectsRead;
    if (disconnectsRead) void disconnectsRead.then(end);
    else end();
  }

  failed(error: GatewayError, upstreamState = ''): void {
    const isFinal = this.#isAccepted() || this.#isClientGone || this.#stopReason !== undefined || this.#hasEnded();
    if (isFinal || !canRetryTurn(this.#attempts.route, error))
      this.#end({ error: this.#stopReason ?? error, finishReason: '', upstreamState });
    else void this.#tryAgain(error, upstreamState);
  }

  /** Applies an event to the state; false when the event changes nothing. Entering `recording` starts the recording of the outcome. */
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

  /** Whether arriving events still belong to the answer; also marks the first token. */
  #takesAnswer(): boolean {
    if (this.#stopReason !== undefined || this.#hasEnded()) return false;
    if (!this.#context.clock.has('firstToken')) this.#attempts.markFirstToken();
    return true;
  }

  /** Sends the current attempt to the upstream. */
  #ask(): void {
    this.#attempts.begin();
    const { route, triedConnections, traceparent } = this.#attempts;
    const facts = { route, triedConnections, traceparent, elapsedMs: this.#context.clock.since('opened') };
    try {
      const turn = toUpstreamTurn(this.#deps, this.#context, this.#origin, facts);
      this.#handle = route.connection.provider.chat(turn, this);
      this.#relay.attach(this.#handle);
    } catch (error) {
      this.failed(toGatewayError(error));
    }
  }

  /** Handles an attempt that failed before acceptance: starts the next attempt, or ends the turn. */
  async #tryAgain(error: GatewayError, upstreamState: string): Promise<void> {
    const { route } = this.#attempts;
    const attempts = this.#attempts.fail(error, this.#toAttemptEnd({ error }));
    this.#move('attemptFailed');
    this.#handle = undefined;
    try {
      const failed = { context: this.#context, route, attempts, error, startCommitted: () => this.#whenStartCommitted() };
      const next = await acquireNextRoute(this.#deps, failed);
      if (next && !this.#isClientGone && this.#move('attemptBegun')) return this.#askOn(next, route, error);
      if (next) releaseRoute(this.#deps, next);
      this.#end({ error, finishReason: '', upstreamState });
    } catch (thrown) {
      this.#end({ error: toGatewayError(thrown), finishReason: '', upstreamState });
    }
  }

  /** Starts the next attempt; on another connection it is a new turn for the upstream. */
  #askOn(next: Route, last: Route, error: GatewayError): void {
    this.#attempts.createNext(next);
    if (next.connection !== last.connection) {
      // An attempt that was never sent has left nothing behind.
      if (!error.upstream?.notSent) this.#discard(last.connection);
      this.#origin = { ...this.#origin, upstreamState: '', upstreamTurnId: this.#context.start.turnId };
    }
    this.#ask();
  }

  #discard(connection: Route['connection']): void {
    const { requestId } = this.#context.call.caller;
    discardAttempt(this.#deps, { connection, turnId: this.#origin.upstreamTurnId, requestId });
  }

  /** Resolves when the start is committed or the turn has ended: true in the first case only. */
  async #whenStartCommitted(): Promise<boolean> {
    if (!isStartCommitted(this.#state) && !this.#hasEnded()) await new Promise<void>((resolve) => (this.#startSettled = resolve));
    return !this.#hasEnded();
  }

  /** Starts the turn's only timer: sends `waiting` after `waitingMs` without acceptance, and stops the turn after `turnMs`. */
  #startTimer(): void {
    const { waitingMs, turnMs } = this.#deps.limits;
    const expire = () => this.stop(new GatewayError('PROVIDER_TIMEOUT', 'the turn took too long'));
    if (!this.#context.request.stream || waitingMs >= turnMs) {
      this.#timer = setTimeout(expire, turnMs);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(expire, turnMs - waitingMs);
      if (isStartCommitted(this.#state) && !this.#isAccepted()) this.#relay.sendWaiting(this.#toAccepted());
    }, waitingMs);
  }

  #announce(): void {
    if (isStartCommitted(this.#state) && this.#isAccepted()) this.#relay.sendAccepted(this.#toAccepted());
  }

  #toAccepted(): TurnAccepted {
    const { conversationId, assistantMessageId: messageId } = this.#context.start;
    return { conversationId, messageId, model: this.#attempts.route.model, created: Math.floor(Date.now() / 1000) };
  }

  /** Handles a client that disconnects: stops the upstream; the turn still ends and is recorded. */
  #leave(): void {
    this.#isClientGone = true;
    this.#handle?.stop();
  }

  /** Ends the turn; the outcome is recorded as soon as the start is committed. */
  #end(end: UpstreamEnd): void {
    if (this.#hasEnded()) return;
    this.#outcome = this.#settle(end);
    this.#move('ended');
  }

  /** Stops the timer, closes the last attempt and returns the outcome. */
  #settle(end: UpstreamEnd): TurnOutcome {
    clearTimeout(this.#timer);
    this.#context.clock.note('answered');
    const attemptEnd = this.#toAttemptEnd(end);
    const { isAccepted } = attemptEnd;
    if (!isRetrying(this.#state)) this.#attempts.closeLast(attemptEnd);
    recordTurnContinuity(this.#deps, this.#context, this.#attempts.route, attemptEnd);
    const error = this.#stopReason ?? (end.error && !isAccepted ? this.#attempts.finalError(end.error) : end.error);
    const finishReason = !error ? end.finishReason : isAccepted ? 'error' : '';
    const status = this.#isClientGone ? 'interrupted' : error ? 'failed' : 'completed';
    const { upstreamState, usage, model } = end;
    return { status, error, isAccepted, finishReason, upstreamState, usage, model };
  }

  #toAttemptEnd({ error, usage, model }: Partial<UpstreamEnd>): AttemptEnd {
    return { error, usage, model, isAccepted: this.#isAccepted(), isClientGone: this.#isClientGone };
  }

  async #record(outcome: TurnOutcome): Promise<void> {
    let { error } = outcome;
    let usage = NO_USAGE;
    try {
      usage =
        findValidUsage(outcome.usage) ?? (outcome.isAccepted ? await countTurnTokens(this.#deps, this.#context, this.#answer) : usage);
      await this.#deps.recorder.end(this.#toEndTurn(outcome, usage), this.#context.onBehalf, this.#recordMs());
    } catch (failure) {
      error ??= toGatewayError(failure);
    }
    try {
      reportTurn(this.#context, { outcome, error, usage, attempts: this.#attempts });
      if (error) this.#relay.fail(error, true);
      else this.#relay.complete(outcome.finishReason, usage, this.#answer);
    } finally {
      this.#move('recorded');
      this.#settled();
    }
  }

  /** How long the outcome may wait for an unavailable conversation service, in milliseconds: at most the time the turn has left. */
  #recordMs(): number {
    const { turnMs, recordMs } = this.#deps.limits;
    return Math.min(recordMs, turnMs - this.#context.clock.since('opened'));
  }

  #toEndTurn(outcome: TurnOutcome, usage: Usage): EndTurn {
    return toTurnEnd(this.#context, outcome, { answer: this.#answer, attempts: this.#attempts, usage });
  }
}
