import { type ServerStream, WINDOW } from '@parley/kit/rpc/multiplexed-call';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type TurnAccepted, type TurnEvent } from '@parley/protos/routing/v1/routing';
import { type UpstreamHold } from '../providers/upstream-turn.ts';

/** The way of a streamed answer to its client: holds back what comes too early, and stops the upstream for a client that reads slowly. */
export class Relay {
  readonly #outlet: ServerStream<TurnEvent>;
  readonly #isStream: boolean;
  #upstream: UpstreamHold | undefined;
  #open = false;
  #isPaused = false;
  #early: string[] = [];
  #earlyReasoning: string[] = [];
  #earlyWeight = 0;
  #earlyArtifacts: Artifact[] | undefined;

  /** An answer that is not streamed comes whole with its end: nothing is relayed then. */
  constructor(outlet: ServerStream<TurnEvent>, isStream: boolean) {
    this.#outlet = outlet;
    this.#isStream = isStream;
    outlet.onDrain = () => this.#resume();
  }

  /** What to pause while the client has no room. */
  attach(hold: UpstreamHold): void {
    this.#upstream = hold;
    if (this.#isPaused) hold.pause();
  }

  /** Tells that the turn is accepted and lets out what came before. Once. */
  announce(value: TurnAccepted): void {
    if (this.#open) return;
    this.#open = true;
    this.#outlet.write({ event: { $case: 'accepted', value } }, 0);
    for (const artifact of this.#earlyArtifacts ?? []) this.artifact(artifact);
    this.#earlyArtifacts = undefined;
    const [reasoning, texts, weight] = [this.#earlyReasoning, this.#early, this.#earlyWeight];
    this.#earlyReasoning = [];
    this.#early = [];
    if (reasoning.length > 0) this.#outlet.write({ event: { $case: 'reasoning', value: { texts: reasoning } } }, 0);
    if (texts.length === 0 || this.#write('deltas', texts, weight)) this.#resume();
  }

  /** Tells that the upstream takes long to accept the turn, where it has not yet. */
  wait(value: TurnAccepted): void {
    if (!this.#open && this.#isStream) this.#outlet.write({ event: { $case: 'waiting', value } }, 0);
  }

  reasoning(texts: string[], weight: number): void {
    if (!this.#isStream) return;
    if (this.#open) this.#write('reasoning', texts, weight);
    else this.#hold(this.#earlyReasoning, texts, weight);
  }

  deltas(texts: string[], weight: number): void {
    if (!this.#isStream) return;
    if (this.#open) this.#write('deltas', texts, weight);
    else this.#hold(this.#early, texts, weight);
  }

  /** Tells of something that the upstream made, in answers that are not streamed too. */
  artifact(value: Artifact): void {
    if (!this.#open) (this.#earlyArtifacts ??= []).push(value);
    else if (!this.#outlet.write({ event: { $case: 'artifact', value } }, value.reference.length)) this.#pause();
  }

  #hold(early: string[], texts: string[], weight: number): void {
    early.push(...texts);
    this.#earlyWeight += weight;
    if (this.#earlyWeight >= WINDOW) this.#pause();
  }

  #write(kind: 'deltas' | 'reasoning', texts: string[], weight: number): boolean {
    const hasRoom = this.#outlet.write({ event: { $case: kind, value: { texts } } }, weight);
    if (!hasRoom) this.#pause();
    return hasRoom;
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
