import { Linked } from '@parley/kit/collections/linked-set';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { toWire } from '@parley/kit/rpc/status';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { MAX_ATTEMPTS, mostUseful, shareOf } from '../domain/attempts.ts';
import { mayGoElsewhere } from '../domain/failure.ts';
import { type PendingAttempt } from '../domain/load-meter.ts';
import { passedParameters } from '../domain/passed-parameters.ts';
import { NO_USAGE, soundUsage, type Usage } from '../domain/usage.ts';
import {
  type Deadlines,
  type TurnFile,
  type TurnSink,
  type UpstreamArtifact,
  type UpstreamHold,
  type UpstreamOutcome,
} from '../providers/upstream-turn.ts';
import { countHealthy, earliestCooldown } from './account-plan.ts';
import { earlierFiles, toTurnFile } from './attachments.ts';
import { AttemptLog } from './attempt-log.ts';
import { type TurnDeps } from './deps.ts';
import { discardAttempt } from './discard-attempt.ts';
import { mayTryAgain, nextRoute } from './fail-over.ts';
import { historyOf } from './history.ts';
import { PartialKeeper } from './partial-keeper.ts';
import { type TurnParts } from './parts.ts';
import { Relay } from './relay.ts';
import { isRecordAway } from './record-error.ts';
import { release } from './room.ts';
import { type Route } from './route.ts';
import { turnProjectOf } from './turn-project.ts';
import { judgeRoute, noteEnd, type TurnFacts } from './verdict.ts';

/** Characters an answer may have; an upstream that goes on and on must not fill the memory. */
const MAX_ANSWER = 8 * 1024 * 1024;

/** Characters of reasoning that are kept; what is beyond is relayed and not recorded. */
const MAX_REASONING = 1024 * 1024;

/** Things that one answer may hold; what a message can show is fewer. */
const MAX_ARTIFACTS = 32;
const NO_ARTIFACTS: readonly Artifact[] = [];
const NO_FILES: readonly TurnFile[] = [];

/** How a turn ended, before it is recorded. */
interface Outcome {
  status: 'completed' | 'failed' | 'interrupted';
  error?: GatewayError | undefined;
  finishReason: string;
  upstreamState: string;
  usage?: Usage;
}

/**
 * A turn that has an account: relays what the upstream says and records the outcome, whether or not the client still listens. Until an upstream
 * has accepted it, a failed attempt is followed by one on another account, where the turn may go there (docs/routing.md).
 * Nothing is answered before the beginning is committed, though the upstream may be asked beside that commit.
 */
export class Turn extends Linked implements TurnSink {
  readonly #deps: TurnDeps;
  readonly #parts: TurnParts;
  readonly #settled: () => void;
  readonly #startedAt = performance.now();
  readonly #relay: Relay;
  readonly #partials: PartialKeeper;
  /** Where the attempt under way goes. */
  #route: Route;
  #secret: string;
  /** The attempt under way; unset before the first. */
  #pending: PendingAttempt | undefined;
  /** The attempt under way counts on its account; false between two attempts and at the end. */
  #isAsking = true;
  /** Only once an attempt has failed. */
  #attempts: AttemptLog | undefined;
  /** The turn that brought the messages: this one, or the failed one that it repeats. */
  #askedTurnId: string;
  /** By what the account of the attempt knows the turn: another account, another id. */
  #upstreamTurnId: string;
  /** Where the conversation stood upstream before the turn. */
  #upstreamState = '';
  #hold: UpstreamHold | undefined;
  #timer: NodeJS.Timeout | undefined;
  #text = '';
  #reasoning = '';
  #artifacts = NO_ARTIFACTS;
  #begun = false;
  /** Resolves what waits for the beginning to be committed. */
  #onBegun: (() => void) | undefined;
  #accepted = false;
  #outcome: Outcome | undefined;
  /** Nobody waits for the answer any more. */
  #gone: boolean;
  /** Why we stopped the upstream ourselves. */
  #cut: GatewayError | undefined;
  #recording = false;

  /** The account counts the turn already, until it has ended upstream. `settled` is called once when it is over and recorded, or given up. */
  constructor(deps: TurnDeps, parts: TurnParts, settled: () => void) {
    super();
    const { route, beginning, outlet, request, call } = parts;
    this.#deps = deps;
    this.#parts = parts;
    this.#settled = settled;
    this.#gone = call.abandoned !== undefined;
    this.#route = route;
    this.#secret = route.account.secret;
    this.#askedTurnId = beginning.turnId;
    this.#upstreamTurnId = beginning.turnId;
    this.#relay = new Relay(outlet, request.stream);
    this.#partials = new PartialKeeper(deps.recorder, beginning.turnId);
    outlet.onCancel = () => this.#leave();
  }

  /**
   * Puts the turn to the upstream; `askedTurnId` is the turn that it repeats, if it does, and `upstreamTurnId` the one that the upstream may have
   * heard of.
   */
  start(upstreamState: string, askedTurnId = this.#parts.beginning.turnId, upstreamTurnId = askedTurnId): void {
    if (this.#outcome) return;
    this.#askedTurnId = askedTurnId;
    this.#upstreamTurnId = upstreamTurnId;
    this.#upstreamState = upstreamState;
    if (this.#gone) return this.#end({ finishReason: 'stop', upstreamState });
    this.#startTimer();
    this.#ask(upstreamState);
  }

  /** The beginning is committed: what the upstream said meanwhile may go out. */
  committed(): void {
    this.#begun = true;
    this.#onBegun?.();
    this.#announce();
    if (this.#outcome) void this.#record(this.#outcome);
  }

  /** The beginning could not be committed, or nobody knows whether it was: the client hears so, and the turn ends as failed if it is there. */
  abandon(error: GatewayError): void {
    if (this.#recording) return;
    this.#recording = true;
    this.#cut = error;
    this.#onBegun?.();
    this.#end({ error, finishReason: '', upstreamState: '' });
    this.#hold?.stop();
    // Nobody knows whether it began: if it did, the record counts it.
    if (isRecordAway(error)) this.#parts.outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    this.#parts.outlet.fail(error);
    this.#deps.recorder.giveUp(
      this.#endTurn({ status: 'failed', error, finishReason: this.#accepted ? 'error' : '', upstreamState: '' }, NO_USAGE),
      error,
      this.#parts.call.caller,
    );
    this.#settled();
  }

  /** Ends the turn early with an error that the client hears; what arrived is recorded. */
  stop(error: GatewayError): void {
    if (this.#outcome || this.#cut) return;
    this.#cut = error;
    if (!this.#isAsking) this.#end({ error, finishReason: '', upstreamState: '' });
    else if (this.#hold) this.#hold.stop();
    else this.failed(error);
  }

  accepted(): void {
    if (this.#accepted || this.#outcome) return;
    this.#accepted = true;
    if (this.#pending) this.#route.account.accept(this.#pending);
    this.#announce();
  }

  deltas(texts: string[]): void {
    if (this.#outcome || this.#cut) return;
    let weight = 0;
    for (const text of texts) {
      this.#text += text;
      weight += text.length;
    }
    if (this.#begun) this.#partials.offer(this.#text);
    this.#relay.deltas(texts, weight);
    if (this.#text.length > MAX_ANSWER) this.stop(new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an answer beyond 8 MB'));
  }

  reasoning(texts: string[]): void {
    if (this.#outcome || this.#cut) return;
    let weight = 0;
    for (const text of texts) weight += text.length;
    if (this.#reasoning.length < MAX_REASONING) this.#reasoning += texts.join('').slice(0, MAX_REASONING - this.#reasoning.length);
    this.#relay.reasoning(texts, weight);
  }

  artifact({ kind, name, mimeType, reference }: UpstreamArtifact): void {
    if (this.#outcome || this.#cut || this.#artifacts.length >= MAX_ARTIFACTS) return;
    const { account } = this.#route;
    const artifact = { assetId: uuidv7(), assetType: kind, fileName: name, mimeType, connectionId: account.id, reference };
    this.#artifacts = [...this.#artifacts, artifact];
    this.#relay.artifact(artifact);
    if (kind === 'image') this.#deps.accounts.health.feature(account, 'images', true);
  }

  finished({ finishReason, upstreamState, usage }: UpstreamOutcome): void {
    this.#end({ finishReason, upstreamState, usage, error: this.#cut });
  }

  failed(error: GatewayError, upstreamState = ''): void {
    const isFinal = this.#accepted || this.#gone || this.#cut !== undefined || this.#outcome !== undefined;
    if (isFinal || !mayTryAgain(this.#route, error)) this.#end({ error: this.#cut ?? error, finishReason: '', upstreamState });
    else void this.#tryAgain(error, upstreamState);
  }

  #ask(upstreamState: string): void {
    const { request, beginning, messages } = this.#parts;
    const { account, model, files, project } = this.#route;
    this.#pending = account.beginAttempt();
    this.#secret = account.secret;
    account.usedSinceTouch = true;
    const turn = {
      turnId: this.#upstreamTurnId,
      repeats: this.#upstreamTurnId !== beginning.turnId,
      account: account.upstream,
      model,
      messages,
      stream: request.stream,
      upstreamState,
      files: files ? files.map((file) => toTurnFile(this.#deps.files, file)) : NO_FILES,
      earlierFiles: (ids: readonly string[]) => earlierFiles(this.#deps.files, beginning.conversationId, ids),
      project: turnProjectOf(this.#deps, project),
      history: () => historyOf(this.#deps, this.#parts, this.#askedTurnId),
      deadlines: this.#deadlines(),
      parameters: passedParameters(account.row.pass, request.parameters),
    };
    try {
      this.#hold = account.provider.chat(turn, this);
      this.#relay.attach(this.#hold);
    } catch (error) {
      this.failed(toGatewayError(error));
    }
  }

  /** An attempt has its share of the time in which the turn is to be accepted. */
  #deadlines(): Deadlines {
    const { acceptanceMs, silenceMs } = this.#deps.limits;
    const { plan, account } = this.#route;
    const attemptsLeft = plan ? Math.max(1, Math.min(MAX_ATTEMPTS - (this.#attempts?.connections.size ?? 0), countHealthy(plan))) : 1;
    const facts = { elapsedMs: performance.now() - this.#startedAt, attemptsLeft, usualMs: account.usualMs };
    return {
      acceptanceMs: shareOf({ ...facts, budgetMs: acceptanceMs }),
      answerMs: shareOf({ ...facts, budgetMs: acceptanceMs + silenceMs }),
      silenceMs,
    };
  }

  /** The attempt failed before an upstream accepted the turn: another one follows, or the turn ends. */
  async #tryAgain(error: GatewayError, upstreamState: string): Promise<void> {
    const { beginning, call } = this.#parts;
    const route = this.#route;
    this.#closeAttempt(error);
    const attempts = (this.#attempts ??= new AttemptLog());
    attempts.add({ connectionId: route.account.id, durationMs: this.#sinceAttempt(), error });
    attempts.warn(this.#deps.log, { turnId: beginning.turnId, requestId: call.caller.requestId });
    this.#hold = undefined;
    try {
      const next = await nextRoute(this.#deps, { parts: this.#parts, route, attempts, error, begun: () => this.#whenBegun() });
      if (next && !this.#outcome && !this.#gone) {
        this.#route = next;
        this.#isAsking = true;
        if (next.account === route.account) return this.#ask(this.#upstreamState);
        // What was never sent has left nothing behind.
        if (!error.upstream?.notSent) discardAttempt(this.#deps, route.account, this.#upstreamTurnId);
        this.#upstreamTurnId = beginning.turnId;
        return this.#ask('');
      }
      if (next) release(this.#deps, next);
      this.#end({ error, finishReason: '', upstreamState });
    } catch (thrown) {
      this.#end({ error: toGatewayError(thrown), finishReason: '', upstreamState });
    }
  }

  /** What the client hears of a turn that was never accepted. */
  #finalError(error: GatewayError): GatewayError {
    const { plan, account } = this.#route;
    const [first = error, ...others] = this.#attempts?.errors ?? [];
    return mostUseful([first, ...others], earliestCooldown(plan ? plan.tiers.flat() : [account]));
  }

  /** False when the turn is over before its beginning is committed. */
  async #whenBegun(): Promise<boolean> {
    if (!this.#begun && !this.#outcome) await new Promise<void>((resolve) => (this.#onBegun = resolve));
    return !this.#outcome;
  }

  /** One timer a turn: says when the acceptance takes long, and ends the turn when all of it does. */
  #startTimer(): void {
    const { waitingMs, turnMs } = this.#deps.limits;
    const expire = () => this.stop(new GatewayError('PROVIDER_TIMEOUT', 'the turn took too long'));
    if (!this.#parts.request.stream || waitingMs >= turnMs) {
      this.#timer = setTimeout(expire, turnMs);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(expire, turnMs - waitingMs);
      if (this.#begun && !this.#accepted) this.#relay.wait(this.#acceptance());
    }, waitingMs);
  }

  #announce(): void {
    if (this.#begun && this.#accepted) this.#relay.announce(this.#acceptance());
  }

  #acceptance(): TurnAccepted {
    const { conversationId, assistantMessageId: messageId } = this.#parts.beginning;
    return { conversationId, messageId, model: this.#route.model, created: Math.floor(Date.now() / 1000) };
  }

  /** The client is gone, but the turn goes on to its recorded end. */
  #leave(): void {
    this.#gone = true;
    this.#hold?.stop();
  }

  #end(outcome: Omit<Outcome, 'status'>): void {
    if (this.#outcome) return;
    clearTimeout(this.#timer);
    if (this.#isAsking) this.#closeLast(outcome.error);
    noteEnd(this.#deps, { ...this.#parts, route: this.#route }, this.#facts(outcome.error));
    const error = this.#cut ?? (outcome.error && !this.#accepted ? this.#finalError(outcome.error) : outcome.error);
    // By an empty reason the record knows a turn that no upstream took, and that its client has heard nothing of.
    const finishReason = !error ? outcome.finishReason : this.#accepted ? 'error' : '';
    this.#outcome = { ...outcome, error, finishReason, status: this.#gone ? 'interrupted' : error ? 'failed' : 'completed' };
    // A relaxed beginning is committed with the end.
    if (this.#begun || this.#parts.beginning.relaxed) void this.#record(this.#outcome);
  }

  #closeLast(error: GatewayError | undefined): void {
    this.#closeAttempt(error);
    // What an upstream accepted at once needs no list; what none accepted says why.
    if (!this.#attempts && (!error || this.#accepted || !this.#pending)) return;
    this.#attempts ??= new AttemptLog();
    this.#attempts.add({ connectionId: this.#route.account.id, durationMs: this.#sinceAttempt(), error });
  }

  #sinceAttempt(): number {
    return this.#pending ? performance.now() - this.#pending.at : 0;
  }

  #closeAttempt(error: GatewayError | undefined): void {
    const { account } = this.#route;
    this.#isAsking = false;
    account.gate.leave();
    if (this.#pending) {
      if (error && !this.#gone && mayGoElsewhere(error.condition)) account.fail(this.#pending);
      else account.abandon(this.#pending);
    }
    judgeRoute(this.#deps, this.#route, this.#parts.beginning.conversationId, this.#facts(error));
  }

  #facts(error: GatewayError | undefined): TurnFacts {
    const startedAt = this.#pending?.at;
    return { error, accepted: this.#accepted, isGone: this.#gone, secret: this.#secret, ...(startedAt !== undefined && { startedAt }) };
  }

  async #record(outcome: Outcome): Promise<void> {
    if (this.#recording) return;
    this.#recording = true;
    const { outlet, call, request } = this.#parts;
    try {
      const usage = soundUsage(outcome.usage) ?? (await this.#countTokens());
      await this.#deps.recorder.end(this.#endTurn(outcome, usage), call.caller);
      this.#begun = true;
      this.#announce();
      if (outcome.error) return this.#refuse(outcome.error);
      const [text, reasoning] = request.stream ? ['', ''] : [this.#text, this.#reasoning];
      const value = { finishReason: outcome.finishReason, ...usage, text, reasoning };
      outlet.end({ event: { $case: 'completed', value } }, text.length + reasoning.length);
    } catch (failure) {
      this.#refuse(toGatewayError(failure));
    } finally {
      this.#settled();
    }
  }

  #endTurn({ status, error, finishReason, upstreamState }: Outcome, usage: Usage): EndTurn {
    const { turnId, conversationId, assistantMessageId } = this.#parts.beginning;
    const { account, model } = this.#route;
    return {
      ...{ turnId, conversationId, assistantMessageId, model, status, finishReason, upstreamState, ...usage },
      text: this.#text,
      reasoning: this.#reasoning,
      artifacts: [...this.#artifacts],
      attempts: this.#attempts?.list() ?? [],
      connectionId: account.id,
      durationMs: Math.round(performance.now() - this.#startedAt),
      error: error && toWire(error),
    };
  }

  /** The error of a turn that is on record goes out behind the word that it is, so that nobody counts it twice. */
  #refuse(error: GatewayError): void {
    if (this.#begun) this.#parts.outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    this.#parts.outlet.fail(error);
  }

  /** An upstream that did not take the turn has used no tokens. */
  async #countTokens(): Promise<Usage> {
    if (!this.#accepted) return NO_USAGE;
    const prompt = this.#parts.request.messages.map(({ text }) => text).join('\n');
    const [tokensIn, tokensOut] = await Promise.all([this.#deps.tokens.count(prompt), this.#deps.tokens.count(this.#text)]);
    return { tokensIn, tokensOut };
  }
}
