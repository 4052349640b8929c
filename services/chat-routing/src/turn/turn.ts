import { type Call } from '@parley/kit/rpc/call';
import { type Outlet, WINDOW } from '@parley/kit/rpc/exchange';
import { toWire } from '@parley/kit/rpc/status';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { effectOf } from '../domain/failure.ts';
import { type TurnSink, type UpstreamHold, type UpstreamOutcome } from '../providers/provider.ts';
import { type Beginning } from './beginning.ts';
import { type TurnDeps } from './deps.ts';
import { type Route } from './route.ts';

/** A long answer is kept about this often while it streams, so that a crash loses no more than that. */
const PARTIAL_MS = 1_000;
const CONTINUITY_MS = 3_000;

/** What a turn is made of once its account is known. */
export interface TurnParts {
  request: TurnRequest;
  route: Route;
  beginning: Beginning;
  outlet: Outlet<TurnEvent>;
  call: Call;
}

/** How a turn ended, before it is recorded. */
interface Outcome {
  error?: GatewayError;
  finishReason: string;
  upstreamState: string;
  usage?: { tokensIn: number; tokensOut: number };
}

/**
 * A turn that has an account: relays what the upstream says and records the outcome, whoever is still listening.
 * Nothing is answered before the beginning is committed, though the upstream may be asked beside that commit.
 */
export class Turn implements TurnSink {
  readonly #deps: TurnDeps;
  readonly #parts: TurnParts;
  readonly #startedAt = performance.now();
  readonly #settled: () => void;
  #hold: UpstreamHold | undefined;
  #begun = false;
  #accepted = false;
  #announced = false;
  #text = '';
  #early: string[] = [];
  #earlyWeight = 0;
  #outcome: Outcome | undefined;
  /** Why nobody waits for the answer any more. */
  #gone: GatewayError | undefined;
  /** Why the upstream was stopped by ourselves. */
  #cut: GatewayError | undefined;
  #recording = false;
  #timer: NodeJS.Timeout | undefined;
  #partialAt = 0;

  /** `settled` is called once when the turn is over and recorded, or given up. */
  constructor(deps: TurnDeps, parts: TurnParts, settled: () => void) {
    this.#deps = deps;
    this.#parts = parts;
    this.#settled = settled;
    this.#gone = parts.call.abandoned;
    parts.outlet.onCancel = (reason) => this.#leave(reason);
    parts.outlet.onDrain = () => this.#hold?.resume();
  }

  /** Puts the turn to the upstream. */
  start(upstreamState: string): void {
    const { request, route, beginning, call } = this.#parts;
    const { account } = route;
    account.inFlight++;
    account.usedSinceTouch = true;
    if (this.#gone) return this.finished({ finishReason: 'stop', upstreamState });
    this.#timer = setTimeout(() => this.stop(new GatewayError('PROVIDER_TIMEOUT', 'the turn took too long')), this.#deps.limits.turnMs);
    try {
      this.#hold = account.provider.chat(
        {
          turnId: beginning.turnId,
          account: account.upstream,
          model: route.model,
          messages: beginning.messages,
          stream: request.stream,
          upstreamState,
          history: () => (route.binding ? this.#history(call) : []),
          deadlines: this.#deps.limits,
        },
        this,
      );
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

  /** The beginning could not be committed, or nobody knows whether it was: the turn ends as failed if it is there. */
  abandon(error: GatewayError): void {
    this.#begun = true;
    this.#cut = error;
    if (this.#outcome) return void this.#record({ ...this.#outcome, error });
    this.#end({ error, finishReason: '', upstreamState: '' });
    this.#hold?.stop();
  }

  /** Ends the turn early with an error that the client hears; what arrived is recorded. */
  stop(error: GatewayError): void {
    if (this.#outcome) return;
    this.#cut ??= error;
    if (this.#hold) this.#hold.stop();
    else this.failed(error);
  }

  accepted(): void {
    if (this.#accepted) return;
    this.#accepted = true;
    this.#parts.route.account.noteLatency(performance.now() - this.#startedAt);
    this.#announce();
  }

  deltas(texts: string[]): void {
    let weight = 0;
    for (const text of texts) {
      this.#text += text;
      weight += text.length;
    }
    this.#keepPartial();
    if (!this.#parts.request.stream) return;
    if (this.#announced) return this.#relay(texts, weight);
    this.#early.push(...texts);
    this.#earlyWeight += weight;
    if (this.#earlyWeight > WINDOW) this.#hold?.pause();
  }

  finished({ finishReason, upstreamState, usage }: UpstreamOutcome): void {
    this.#end({ finishReason, upstreamState, usage, error: this.#cut });
  }

  failed(error: GatewayError, upstreamState = ''): void {
    this.#end({ error: this.#cut ?? error, finishReason: '', upstreamState });
  }

  #announce(): void {
    if (!this.#begun || !this.#accepted || this.#announced) return;
    this.#announced = true;
    const { beginning, outlet } = this.#parts;
    const value = { conversationId: beginning.conversationId, messageId: beginning.assistantMessageId, model: beginning.model, created: Math.floor(Date.now() / 1000) };
    outlet.write({ event: { $case: 'accepted', value } }, 0);
    if (this.#early.length === 0) return;
    this.#relay(this.#early, this.#earlyWeight);
    if (this.#earlyWeight > WINDOW) this.#hold?.resume();
    this.#early = [];
  }

  #relay(texts: string[], weight: number): void {
    const room = this.#parts.outlet.write({ event: { $case: 'deltas', value: { texts } } }, weight);
    if (!room && !this.#gone) this.#hold?.pause();
  }

  /** The client is gone, but the turn goes on to its recorded end. */
  #leave(reason: GatewayError): void {
    this.#gone = reason;
    this.#hold?.stop();
  }

  #end(outcome: Outcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    const { account } = this.#parts.route;
    account.inFlight--;
    clearTimeout(this.#timer);
    this.#judge(outcome);
    if (this.#begun || this.#parts.beginning.relaxed) void this.#record(outcome);
  }

  /** What the outcome says about the account and about the conversation. */
  #judge({ error }: Outcome): void {
    const { accounts } = this.#deps;
    const { account, probing } = this.#parts.route;
    if ((this.#gone || this.#cut) && !this.#accepted) {
      if (probing) accounts.releaseProbe(account);
      return;
    }
    const { health, continuity } = error && !this.#gone ? effectOf(error.condition) : { health: 'none' as const, continuity: undefined };
    accounts.report(account, health);
    if (!continuity || !this.#parts.route.binding) return;
    this.#deps.conversation
      .setContinuity({ conversationId: this.#parts.beginning.conversationId, status: continuity }, { caller: this.#parts.call.caller, deadlineMs: CONTINUITY_MS })
      .catch((err: unknown) => this.#deps.log.warn({ err, continuity }, 'the continuity of a conversation was not recorded'));
  }

  async #record(outcome: Outcome): Promise<void> {
    if (this.#recording) return;
    this.#recording = true;
    const { beginning, outlet, call, route } = this.#parts;
    const { error } = outcome;
    try {
      const usage = outcome.usage ?? (await this.#countTokens());
      await this.#deps.recorder.end(
        {
          turnId: beginning.turnId,
          conversationId: beginning.conversationId,
          assistantMessageId: beginning.assistantMessageId,
          status: this.#gone ? 'interrupted' : error ? 'failed' : 'completed',
          text: this.#text,
          finishReason: outcome.finishReason,
          model: beginning.model,
          connectionId: route.account.id,
          ...usage,
          durationMs: Math.round(performance.now() - this.#startedAt),
          error: error && toWire(error),
          upstreamState: outcome.upstreamState,
        },
        call.caller,
      );
      // An end on record has its beginning on record.
      this.committed();
      if (error) this.#refuse(error);
      else outlet.end({ event: { $case: 'completed', value: { finishReason: outcome.finishReason, ...usage, text: this.#parts.request.stream ? '' : this.#text } } });
    } catch (failure) {
      this.#refuse(toGatewayError(failure));
    } finally {
      this.#settled();
    }
  }

  /** The error goes out behind the word that the turn is on record, so that nobody counts it twice. */
  #refuse(error: GatewayError): void {
    this.#parts.outlet.write({ event: { $case: 'recorded', value: {} } }, 0);
    this.#parts.outlet.fail(error);
  }

  async #countTokens(): Promise<{ tokensIn: number; tokensOut: number }> {
    const prompt = this.#parts.request.messages.map(({ text }) => text).join('\n');
    const [tokensIn, tokensOut] = await Promise.all([this.#deps.tokens.count(prompt), this.#deps.tokens.count(this.#text)]);
    return { tokensIn, tokensOut };
  }

  async #history(call: Call) {
    const { conversationId, turnId } = this.#parts.beginning;
    const { messages } = await this.#deps.conversation.listHistory({ conversationId, beforeTurnId: turnId }, { caller: call.caller, deadlineMs: CONTINUITY_MS });
    return messages.filter(({ text, parts }) => text !== '' || parts.length > 0);
  }

  #keepPartial(): void {
    const now = performance.now();
    if (!this.#begun || now - this.#startedAt < PARTIAL_MS || now - this.#partialAt < PARTIAL_MS) return;
    this.#partialAt = now;
    void this.#deps.recorder.savePartial(this.#parts.beginning.turnId, this.#text);
  }
}
