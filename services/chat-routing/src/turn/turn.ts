import { Linked } from '@parley/kit/collections/linked-set';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { toWire } from '@parley/kit/rpc/status';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { NO_USAGE, soundUsage, type Usage } from '../domain/usage.ts';
import {
  type TurnFile,
  type TurnSink,
  type UpstreamArtifact,
  type UpstreamHold,
  type UpstreamOutcome,
} from '../providers/upstream-turn.ts';
import { earlierFiles, toTurnFile } from './attachments.ts';
import { type TurnDeps } from './deps.ts';
import { historyOf } from './history.ts';
import { PartialKeeper } from './partial-keeper.ts';
import { type TurnParts } from './parts.ts';
import { Relay } from './relay.ts';
import { isRecordAway } from './record-error.ts';
import { turnProjectOf } from './turn-project.ts';
import { judge } from './verdict.ts';

/** Characters an answer may have; an upstream that goes on and on must not fill the memory. */
const MAX_ANSWER = 8 * 1024 * 1024;

/** Things that one answer may hold; what a message can show is fewer. */
const MAX_ARTIFACTS = 32;
const NO_ARTIFACTS: readonly Artifact[] = [];
const NO_FILES: readonly TurnFile[] = [];

/** How a turn ended, before it is recorded. */
interface Outcome {
  status: 'completed' | 'failed' | 'interrupted';
  error?: GatewayError;
  finishReason: string;
  upstreamState: string;
  usage?: Usage;
}

/**
 * A turn that has an account: relays what the upstream says and records the outcome, whoever is still listening.
 * Nothing is answered before the beginning is committed, though the upstream may be asked beside that commit.
 */
export class Turn extends Linked implements TurnSink {
  readonly #deps: TurnDeps;
  readonly #parts: TurnParts;
  readonly #settled: () => void;
  readonly #startedAt = performance.now();
  readonly #secret: string;
  readonly #relay: Relay;
  readonly #partials: PartialKeeper;
  #hold: UpstreamHold | undefined;
  #timer: NodeJS.Timeout | undefined;
  #text = '';
  #artifacts = NO_ARTIFACTS;
  #begun = false;
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
    this.#secret = route.account.secret;
    this.#relay = new Relay(outlet, request.stream);
    this.#partials = new PartialKeeper(deps.recorder, beginning.turnId);
    outlet.onCancel = () => this.#leave();
    route.account.usedSinceTouch = true;
  }

  /** Puts the turn to the upstream; `askedTurnId` is the turn that it repeats, if it does. */
  start(upstreamState: string, askedTurnId = this.#parts.beginning.turnId): void {
    const { request, route, beginning, messages } = this.#parts;
    const { limits } = this.#deps;
    if (this.#outcome) return;
    if (this.#gone) return this.#end({ finishReason: 'stop', upstreamState });
    this.#timer = setTimeout(() => this.stop(new GatewayError('PROVIDER_TIMEOUT', 'the turn took too long')), limits.turnMs);
    const turn = {
      turnId: askedTurnId,
      repeats: askedTurnId !== beginning.turnId,
      account: route.account.upstream,
      model: route.model,
      messages,
      stream: request.stream,
      upstreamState,
      files: route.files ? route.files.map((file) => toTurnFile(this.#deps.files, file)) : NO_FILES,
      earlierFiles: (ids: readonly string[]) => earlierFiles(this.#deps.files, beginning.conversationId, ids),
      project: turnProjectOf(this.#deps, route.project),
      history: () => historyOf(this.#deps, this.#parts, askedTurnId),
      deadlines: limits,
    };
    try {
      this.#hold = route.account.provider.chat(turn, this);
      this.#relay.attach(this.#hold);
    } catch (error) {
      this.failed(toGatewayError(error));
    }
  }

  /** The beginning is committed: what the upstream said meanwhile may go out. */
  committed(): void {
    this.#begun = true;
    this.#announce();
    if (this.#outcome) void this.#record(this.#outcome);
  }

  /** The beginning could not be committed, or nobody knows whether it was: the client hears so, and the turn ends as failed if it is there. */
  abandon(error: GatewayError): void {
    if (this.#recording) return;
    this.#recording = true;
    this.#cut = error;
    this.#end({ error, finishReason: '', upstreamState: '' });
    this.#hold?.stop();
    // Nobody knows whether it began: if it did, the record counts it.
    if (isRecordAway(error)) this.#parts.outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    this.#parts.outlet.fail(error);
    this.#deps.recorder.giveUp(
      this.#endTurn({ status: 'failed', error, finishReason: '', upstreamState: '' }, NO_USAGE),
      error,
      this.#parts.call.caller,
    );
    this.#settled();
  }

  /** Ends the turn early with an error that the client hears; what arrived is recorded. */
  stop(error: GatewayError): void {
    if (this.#outcome || this.#cut) return;
    this.#cut = error;
    if (this.#hold) this.#hold.stop();
    else this.failed(error);
  }

  accepted(): void {
    if (this.#accepted || this.#outcome) return;
    this.#accepted = true;
    this.#parts.route.account.noteLatency(performance.now() - this.#startedAt);
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

  artifact({ kind, name, mimeType, reference }: UpstreamArtifact): void {
    if (this.#outcome || this.#cut || this.#artifacts.length >= MAX_ARTIFACTS) return;
    const { account } = this.#parts.route;
    const artifact = { assetId: uuidv7(), assetType: kind, fileName: name, mimeType, connectionId: account.id, reference };
    this.#artifacts = [...this.#artifacts, artifact];
    this.#relay.artifact(artifact);
    if (kind === 'image') this.#deps.accounts.health.feature(account, 'images', true);
  }

  finished({ finishReason, upstreamState, usage }: UpstreamOutcome): void {
    this.#end({ finishReason, upstreamState, usage, error: this.#cut });
  }

  failed(error: GatewayError, upstreamState = ''): void {
    this.#end({ error: this.#cut ?? error, finishReason: '', upstreamState });
  }

  #announce(): void {
    if (!this.#begun || !this.#accepted) return;
    const { conversationId, assistantMessageId: messageId, model } = this.#parts.beginning;
    this.#relay.announce({ conversationId, messageId, model, created: Math.floor(Date.now() / 1000) });
  }

  /** The client is gone, but the turn goes on to its recorded end. */
  #leave(): void {
    this.#gone = true;
    this.#hold?.stop();
  }

  #end(outcome: Omit<Outcome, 'status'>): void {
    if (this.#outcome) return;
    const { error } = outcome;
    // By an empty reason the record knows a turn that no upstream took, and that its client has heard nothing of.
    const finishReason = !error ? outcome.finishReason : this.#accepted ? 'error' : '';
    this.#outcome = { ...outcome, finishReason, status: this.#gone ? 'interrupted' : error ? 'failed' : 'completed' };
    this.#parts.route.account.gate.leave();
    clearTimeout(this.#timer);
    judge(this.#deps, this.#parts, { error, accepted: this.#accepted, isGone: this.#gone, secret: this.#secret });
    // A relaxed beginning is committed with the end.
    if (this.#begun || this.#parts.beginning.relaxed) void this.#record(this.#outcome);
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
      const text = request.stream ? '' : this.#text;
      outlet.end({ event: { $case: 'completed', value: { finishReason: outcome.finishReason, ...usage, text } } }, text.length);
    } catch (failure) {
      this.#refuse(toGatewayError(failure));
    } finally {
      this.#settled();
    }
  }

  #endTurn({ status, error, finishReason, upstreamState }: Outcome, usage: Usage): EndTurn {
    const { turnId, conversationId, assistantMessageId, model } = this.#parts.beginning;
    return {
      ...{ turnId, conversationId, assistantMessageId, model, status, finishReason, upstreamState, ...usage },
      text: this.#text,
      artifacts: [...this.#artifacts],
      connectionId: this.#parts.route.account.id,
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
