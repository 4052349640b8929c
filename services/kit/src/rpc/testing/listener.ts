import { type GatewayError } from '@parley/protos/errors';
import { type StreamObserver } from '../multiplexed-call.ts';
import { type Text } from './echo.ts';

/** An inlet that keeps what it hears, and whose `over` settles with the end of the exchange. */
export class Listener implements StreamObserver<Text> {
  readonly heard: string[] = [];
  /** Ends and failures: never more than one. */
  ends = 0;
  onMessage: (message: Text) => void = () => undefined;
  readonly over: Promise<GatewayError | undefined>;
  #settle: (error: GatewayError | undefined) => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.#settle = resolve));
  }

  message(message: Text): void {
    this.heard.push(message.text);
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
