import { Linked } from '@parley/kit/collections/linked-set';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { isRecordUnavailable } from '../conversation/record-error.ts';
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
import { type AttemptEnd } from './attempt.ts';
import { type TurnDeps } from './turn-deps.ts';
import { discardAttempt } from './discard-attempt.ts';
import { mayTryAgain, nextRoute } from './fail-over.ts';
import { PartialKeeper } from './partial-keeper.ts';
import { Relay } from './relay.ts';
import { type Route } from './route.ts';
import { releaseRoute } from './slot.ts';
import { toUpstreamTurn, type UpstreamOrigin } from './to-upstream-turn.ts';
import { TurnAttempts } from './turn-attempts.ts';
import { type TurnContext } from './turn-context.ts';
import { countTokens, noteTurnContinuity, toEndTurn, type TurnOutcome } from './turn-end.ts';
import { reportTurn } from './turn-telemetry.ts';

/** What is known of an outcome before the turn adds its own part. */
type UpstreamEnd = Pick<TurnOutcome, 'error' | 'finishReason' | 'upstreamState' | 'usage' | 'model'>;

/**
 * A turn that has a connection: relays the answer of the upstream and records the outcome, also when the client has left. `domain/turn-state.ts`
 * lists its states. Until an upstream has accepted it, a failed attempt is followed by one on another connection, where the turn may go there
 * (docs/routing.md). Nothing is sent before the start is committed, though the upstream may be asked beside that commit.
 */
export class Turn extends Linked implements TurnSink {
  readonly #deps: TurnDeps;
  readonly #context: TurnContext;
  readonly #settled: () => void;
  readonly #relay: Relay;
  readonly #partials: PartialKeeper;
  readonly #answer = new Answer();
  #state = FIRST_TURN_STATE;
  #origin: UpstreamOrigin;
  readonly #attempts: TurnAttempts;
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
    const { start, stream, request, call, clock } = context;
    clock.note('opened');
    this.#deps = deps;
    this.#context = context;
    this.#settled = settled;
    this.#isClientGone = call.abandoned !== undefined;
    this.#attempts = new TurnAttempts(deps, context);
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
    this.#context.clock.note('committed');
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
    const outcome = { status: 'failed', error, isAccepted, finishReason: isAccepted ? 'error' : '', upstreamState: '' } as const;
    reportTurn(this.#context, { outcome, error, usage: NO_USAGE, attempts: this.#attempts });
    // Where it is not known whether the start was committed, the record counts the turn if it is there.
    this.#relay.fail(error, isRecordUnavailable(error));
    this.#deps.recorder.giveUp(this.#toEndTurn(outcome, NO_USAGE), error, this.#context.onBehalf);
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
    this.#attempts.accept();
    this.#announce();
  }

  deltas(texts: string[]): void {
    if (!this.#takesAnswer()) return;
    const weight = this.#answer.appendText(texts);
    if (isStartCommitted(this.#state)) this.#partials.offer(this.#answer.text);
    this.#relay.deltas(texts, weight);
    if (this.#answer.isTooLong) this.stop(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an answer beyond 8 MB'));
  }

  reasoning(texts: string[]): void {
    if (this.#takesAnswer()) this.#relay.reasoning(texts, this.#answer.appendReasoning(texts));
  }

  artifact(made: UpstreamArtifact): void {
    if (!this.#takesAnswer()) return;
    const { connection } = this.#attempts.route;
    const artifact = this.#answer.addArtifact(made, connection.id);
    if (!artifact) return;
    this.#relay.artifact(artifact);
    if (made.kind === 'image') this.#deps.connections.health.feature(connection, 'images', true);
  }

  finished(outcome: UpstreamOutcome): void {
    const { finishReason, upstreamState, usage, model } = outcome;
    const end = () => this.#end({ error: this.#stopReason, finishReason, upstreamState, usage, model });
    // Its client may have got an error for a lost turn, and have left.
    const aftermath = this.#deps.standstill?.aftermath;
    if (aftermath) void aftermath.then(end);
    else end();
  }

  failed(error: GatewayError, upstreamState = ''): void {
    const isFinal = this.#isAccepted() || this.#isClientGone || this.#stopReason !== undefined || this.#hasEnded();
    if (isFinal || !mayTryAgain(this.#attempts.route, error))
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

  /** Whether what arrives is part of the answer. */
  #takesAnswer(): boolean {
    if (this.#stopReason !== undefined || this.#hasEnded()) return false;
    if (!this.#context.clock.has('firstToken')) this.#attempts.firstToken();
    return true;
  }

  /** Begins the attempt. */
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

  /** The attempt failed before an upstream accepted the turn: another one follows, or the turn ends. */
  async #tryAgain(error: GatewayError, upstreamState: string): Promise<void> {
    const { route } = this.#attempts;
    const attempts = this.#attempts.fail(error, this.#toAttemptEnd({ error }));
    this.#move('attemptFailed');
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
  #askOn(next: Route, last: Route, error: GatewayError): void {
    this.#attempts.follow(next);
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
    return { conversationId, messageId, model: this.#attempts.route.model, created: Math.floor(Date.now() / 1000) };
  }

  /** The client is gone, but the turn goes on to its recorded end. */
  #leave(): void {
    this.#isClientGone = true;
    this.#handle?.stop();
  }

  /** The turn has ended; the outcome is recorded as soon as the start is. */
  #end(end: UpstreamEnd): void {
    if (this.#hasEnded()) return;
    this.#outcome = this.#settle(end);
    this.#move('ended');
  }

  /** Closes what is under way, for the outcome that follows. */
  #settle(end: UpstreamEnd): TurnOutcome {
    clearTimeout(this.#timer);
    this.#context.clock.note('answered');
    const attemptEnd = this.#toAttemptEnd(end);
    const { isAccepted } = attemptEnd;
    if (!isRetrying(this.#state)) this.#attempts.closeLast(attemptEnd);
    noteTurnContinuity(this.#deps, this.#context, this.#attempts.route, attemptEnd);
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
      usage = findValidUsage(outcome.usage) ?? (outcome.isAccepted ? await countTokens(this.#deps, this.#context, this.#answer) : usage);
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

  /** How long the outcome may wait for a record that is away, in milliseconds: not beyond the end of the turn's own time. */
  #recordMs(): number {
    const { turnMs, recordMs } = this.#deps.limits;
    return Math.min(recordMs, turnMs - this.#context.clock.since('opened'));
  }

  #toEndTurn(outcome: TurnOutcome, usage: Usage): EndTurn {
    return toEndTurn(this.#context, outcome, { answer: this.#answer, attempts: this.#attempts, usage });
  }
}
