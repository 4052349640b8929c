import { type Caller } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type MultiplexedCall } from '@parley/kit/rpc/multiplexed-call';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type GatewayError } from '@parley/protos/errors';
import {
  type ChatRoutingServiceService,
  type TurnAccepted,
  type TurnCompleted,
  type TurnEvent,
  type TurnRequest,
} from '@parley/protos/routing/v1/routing';

/** What a client received of a turn. */
export class ReceivedTurn {
  accepted: TurnAccepted | undefined;
  text = '';
  reasoning = '';
  waiting: TurnAccepted | undefined;
  completed: TurnCompleted | undefined;
  recorded = false;
  readonly artifacts: Artifact[] = [];
  readonly assetIds: string[] = [];
  error: GatewayError | undefined;
  /** Ends and failures: never more than one. */
  ends = 0;
  call: MultiplexedCall | undefined;
  readonly over: Promise<this>;
  #settle: () => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.#settle = () => resolve(this)));
  }

  message({ event }: TurnEvent): void {
    switch (event?.$case) {
      case 'accepted':
        this.accepted = event.value;
        return;
      case 'deltas':
        this.text += event.value.texts.join('');
        return;
      case 'completed':
        this.completed = event.value;
        return;
      case 'recorded':
        this.recorded = true;
        return;
      case 'artifact':
        this.artifacts.push(event.value);
        return;
      case 'reasoning':
        this.reasoning += event.value.texts.join('');
        return;
      case 'assets':
        this.assetIds.push(...event.value.ids);
        return;
      case 'waiting':
        this.waiting = event.value;
        return;
      case undefined:
    }
  }

  end(): void {
    this.ends++;
    this.#settle();
  }

  fail(error: GatewayError): void {
    this.ends++;
    this.error = error;
    this.#settle();
  }
}

/** A request with one message. */
export function turnRequest(text: string, over: Partial<TurnRequest> = {}): TurnRequest {
  return {
    ...{ model: 'auto', messages: [{ role: 'user', text, parts: [] }], stream: true, attachmentFileIds: [] },
    ...{ conversationId: '', upstreamAccount: '', upstreamProject: '', project: '', routeProfile: '' },
    ...{ idempotencyKey: '', requestDigest: Buffer.alloc(0), retry: false, parameters: '', ...over },
  };
}

/** A caller of the Turns method. */
export class Client {
  readonly #stub: Stub<typeof ChatRoutingServiceService>;
  readonly caller: Caller;
  /** W3C `traceparent` of its requests; empty: none. */
  traceparent = '';

  constructor(stub: Stub<typeof ChatRoutingServiceService>, caller: Caller) {
    this.#stub = stub;
    this.caller = caller;
  }

  /** Begins a turn. */
  open(request: TurnRequest, deadlineMs = 25_000): ReceivedTurn {
    const outcome = new ReceivedTurn();
    outcome.call = this.#stub.turns(request, outcome, { caller: this.caller, deadlineMs, traceparent: this.traceparent });
    return outcome;
  }

  /** A turn to its end. */
  turn(text: string, over: Partial<TurnRequest> = {}): Promise<ReceivedTurn> {
    return this.open(turnRequest(text, over)).over;
  }

  /** The condition a turn is refused with; empty when it was not. */
  async refusal(over: Partial<TurnRequest> = {}): Promise<string> {
    return (await this.turn('hello', over)).error?.condition ?? '';
  }
}
