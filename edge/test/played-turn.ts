import { uuidv7 } from '@parley/kit/ids/uuid';
import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { GatewayError } from '@parley/protos/errors';
import { type TurnEvent } from '@parley/protos/routing/v1/routing';

/** How every played turn is accepted. */
export const ACCEPTED = { conversationId: uuidv7(), messageId: uuidv7(), model: 'm', created: 1_700_000_000 };

/** Something that a turn makes. */
export function artifact(change: Partial<Artifact> = {}): Artifact {
  return {
    assetId: uuidv7(),
    assetType: 'image',
    fileName: 'cat.png',
    mimeType: 'image/png',
    connectionId: uuidv7(),
    reference: 'r',
    ...change,
  };
}

/** A turn that a test plays. */
export class PlayedTurn {
  readonly made = artifact();
  readonly #stream: ServerStream<TurnEvent>;

  /** `isWaiting`: its upstream has not accepted it yet. */
  constructor(stream: ServerStream<TurnEvent>, isWaiting = false) {
    this.#stream = stream;
    if (isWaiting) stream.write({ event: { $case: 'waiting', value: ACCEPTED } }, 10);
    else this.accept();
  }

  accept(change: Partial<typeof ACCEPTED> = {}): void {
    this.#stream.write({ event: { $case: 'accepted', value: { ...ACCEPTED, ...change } } }, 10);
  }

  think(text: string): void {
    this.#stream.write({ event: { $case: 'reasoning', value: { texts: [text] } } }, 10);
  }

  say(text: string): void {
    this.#stream.write({ event: { $case: 'deltas', value: { texts: [text] } } }, 10);
  }

  make(made: Artifact = this.made): void {
    this.#stream.write({ event: { $case: 'artifact', value: made } }, 10);
  }

  end(text = '', reasoning = ''): void {
    this.#stream.end({ event: { $case: 'completed', value: { finishReason: 'stop', tokensIn: 1, tokensOut: 2, text, reasoning } } });
  }

  fail(): void {
    this.#stream.write({ event: { $case: 'recorded', value: {} } }, 1);
    this.#stream.fail(new GatewayError('PROVIDER_TIMEOUT', 'late'));
  }
}
