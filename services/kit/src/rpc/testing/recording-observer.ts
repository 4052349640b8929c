import { type GatewayError } from '@parley/protos/errors';
import { type StreamObserver } from '../multiplexed-call.ts';
import { type Text } from './echo.ts';

/** An observer that records what it receives; `over` settles when the call ends. */
export class RecordingObserver implements StreamObserver<Text> {
  readonly received: string[] = [];
  /** Number of ends and failures: never more than one. */
  ends = 0;
  onMessage: (message: Text) => void = () => undefined;
  readonly over: Promise<GatewayError | undefined>;
  #settle: (error: GatewayError | undefined) => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.#settle = resolve));
  }

  message(message: Text): void {
    this.received.push(message.text);
    this.onMessage(message);
  }

  end(): void {
    this.ends++;
    this.#settle(undefined);
  }

  fail(error: GatewayError): void {
    this.ends++;
    this.#settle(error);
  }
}
