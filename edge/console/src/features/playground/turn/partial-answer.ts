import { type components } from '../../../api/generated/me.ts';

type Chunk = components['schemas']['ChatCompletionChunk'];
/** What happens to an answer besides its text. */
export type LifecycleEvent = components['schemas']['LifecycleEvent'];
type Asset = NonNullable<LifecycleEvent['asset']>;

/** An event with when it came, in milliseconds since the request. */
export interface TimedEvent {
  event: LifecycleEvent;
  atMs: number;
}

/** An answer as far as it has been received. */
export interface PartialAnswer {
  messageId: string | undefined;
  model: string | undefined;
  text: string;
  reasoning: string;
  assets: readonly Asset[];
  events: readonly TimedEvent[];
  usage: components['schemas']['ChatCompletion']['usage'] | undefined;
  /** Milliseconds until the first word. */
  firstMs: number | undefined;
}

export const EMPTY_ANSWER: PartialAnswer = {
  messageId: undefined,
  model: undefined,
  text: '',
  reasoning: '',
  assets: [],
  events: [],
  usage: undefined,
  firstMs: undefined,
};

/** Returns the answer with one more chunk of its stream. */
export function addChunk(answer: PartialAnswer, chunk: Chunk, atMs: number): PartialAnswer {
  const { content = '', reasoning_content: reasoning = '' } = chunk.choices[0]?.delta ?? {};
  const event = chunk.lifecycle_event;
  return {
    // An answer that another account began anew has another id.
    messageId: chunk.message_id ?? answer.messageId,
    model: chunk.model,
    text: answer.text + content,
    reasoning: answer.reasoning + reasoning,
    assets: event?.asset ? withAsset(answer.assets, event.asset) : answer.assets,
    events: event ? [...answer.events, { event, atMs }] : answer.events,
    usage: chunk.usage ?? answer.usage,
    firstMs: answer.firstMs ?? (content || reasoning ? atMs : undefined),
  };
}

function withAsset(assets: readonly Asset[], asset: Asset): Asset[] {
  const isKnown = assets.some(({ id }) => id === asset.id);
  return isKnown ? assets.map((known) => (known.id === asset.id ? asset : known)) : [...assets, asset];
}
