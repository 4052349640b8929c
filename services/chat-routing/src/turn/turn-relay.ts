import { type ServerStream, WINDOW_BYTES } from '@parley/kit/rpc/multiplexed-call';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type GatewayError } from '@parley/protos/errors';
import { type TurnAccepted, type TurnEvent } from '@parley/protos/routing/v1/routing';
import { type Usage } from '../domain/usage.ts';
import { type TurnHandle } from '../providers/upstream-turn.ts';
import { type AnswerAccumulator } from './answer-accumulator.ts';

/**
 * Sends the events of an answer to the client: buffers everything before `accepted`, and pauses the upstream while the client reads slowly.
 */
export class TurnRelay {
  readonly #stream: ServerStream<TurnEvent>;
  readonly #isStream: boolean;
  #upstream: TurnHandle | undefined;
  #open = false;
  #isPaused = false;
  #early: string[] = [];
  #earlyReasoning: string[] = [];
  #earlyWeight = 0;
  #earlyArtifacts: Artifact[] | undefined;

  /** `isStream` false: text and reasoning are sent only with the `completed` event. */
  constructor(stream: ServerStream<TurnEvent>, isStream: boolean) {
    this.#stream = stream;
    this.#isStream = isStream;
    stream.onDrain = () => this.#resume();
  }

  /** Sets the upstream request that is paused while the client is behind. */
  attach(handle: TurnHandle): void {
    this.#upstream = handle;
    if (this.#isPaused) handle.pause();
  }

  /** Sends `accepted`, then what was buffered before it. Later calls do nothing. */
  sendAccepted(value: TurnAccepted): void {
    if (this.#open) return;
    this.#open = true;
    this.#stream.write({ event: { $case: 'accepted', value } }, 0);
    for (const artifact of this.#earlyArtifacts ?? []) this.sendArtifact(artifact);
    this.#earlyArtifacts = undefined;
    const [reasoning, texts, weight] = [this.#earlyReasoning, this.#early, this.#earlyWeight];
    this.#earlyReasoning = [];
    this.#early = [];
    if (reasoning.length > 0) this.#stream.write({ event: { $case: 'reasoning', value: { texts: reasoning } } }, 0);
    if (texts.length === 0 || this.#write('deltas', texts, weight)) this.#resume();
  }

  /** Sends `waiting` on a streamed turn that its upstream has not accepted yet; keeps proxies from closing the connection. */
  sendWaiting(value: TurnAccepted): void {
    if (!this.#open && this.#isStream) this.#stream.write({ event: { $case: 'waiting', value } }, 0);
  }

  sendReasoning(texts: string[], weight: number): void {
    if (!this.#isStream) return;
    if (this.#open) this.#write('reasoning', texts, weight);
    else this.#hold(this.#earlyReasoning, texts, weight);
  }

  sendDeltas(texts: string[], weight: number): void {
    if (!this.#isStream) return;
    if (this.#open) this.#write('deltas', texts, weight);
    else this.#hold(this.#early, texts, weight);
  }

  /** Sends an artifact, also for answers that are not streamed. */
  sendArtifact(value: Artifact): void {
    if (!this.#open) (this.#earlyArtifacts ??= []).push(value);
    else if (!this.#stream.write({ event: { $case: 'artifact', value } }, value.reference.length)) this.#pause();
  }

  /** Sends `completed` and ends the stream; includes text and reasoning when the answer is not streamed. */
  complete(finishReason: string, usage: Usage, answer: AnswerAccumulator): void {
    const [text, reasoning] = this.#isStream ? ['', ''] : [answer.text, answer.reasoning];
    this.#stream.end({ event: { $case: 'completed', value: { finishReason, ...usage, text, reasoning } } }, text.length + reasoning.length);
  }

  /** Fails the stream with an error. `isRecorded`: sends `recorded` first, so that the edge does not count the turn again. */
  fail(error: GatewayError, isRecorded: boolean): void {
    if (isRecorded) this.#stream.write({ event: { $case: 'recorded', value: {} } }, 0);
    this.#stream.fail(error);
  }

  #hold(early: string[], texts: string[], weight: number): void {
    early.push(...texts);
    this.#earlyWeight += weight;
    if (this.#earlyWeight >= WINDOW_BYTES) this.#pause();
  }

  #write(kind: 'deltas' | 'reasoning', texts: string[], weight: number): boolean {
    const hasCapacity = this.#stream.write({ event: { $case: kind, value: { texts } } }, weight);
    if (!hasCapacity) this.#pause();
    return hasCapacity;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#upstream?.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#upstream?.resume();
  }
}
