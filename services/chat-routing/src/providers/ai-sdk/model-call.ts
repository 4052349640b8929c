import { GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { UpstreamCall } from '../upstream-call.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { type Deadlines } from '../upstream-turn.ts';
import { ModelResponse } from './model-response.ts';
import { type Fetch } from './sdk-provider.ts';

/**
 * Provides the `fetch` for an SDK over the gateway's connection pools: only POST with a JSON body to the connection's upstream, no
 * redirects, with the deadlines of a turn, size limits on the response, and backpressure.
 */
export class ModelCall {
  /** The error that interrupted the response stream; undefined when none did. */
  failure: GatewayError | undefined;
  readonly #pools: HttpPools;
  readonly #account: UpstreamConnection;
  readonly #deadlines: Deadlines;
  readonly #headers: Readonly<Record<string, string>>;
  #call: UpstreamCall | undefined;
  #response: ModelResponse | undefined;
  #giveUp: (error: GatewayError) => void = () => undefined;
  #accepted = false;
  #held = false;
  #full = false;
  #over = false;

  /** `headers` are added after the SDK has signed the request, because a proxy may change them. */
  constructor(pools: HttpPools, connection: UpstreamConnection, deadlines: Deadlines, headers: Readonly<Record<string, string>> = {}) {
    this.#pools = pools;
    this.#account = connection;
    this.#deadlines = deadlines;
    this.#headers = headers;
  }

  readonly fetch: Fetch = (input, init) =>
    new Promise<Response>((resolve, reject) => {
      if (this.#over) throw ABORTED;
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      if (init?.method !== 'POST' || typeof init.body !== 'string')
        throw new GatewayError('INTERNAL_ERROR', 'the client of the provider made a call of an unknown kind');
      const { pool } = this.#pools.getEndpoint(this.#account.baseUrl);
      const headers = { ...Object.fromEntries(new Headers(init.headers)), ...this.#headers };
      const request = { path: pathname + search, headers, body: init.body };
      this.#giveUp = reject;
      const events = {
        answered: resolve,
        refused: reject,
        broke: (error: GatewayError) => this.#broke(error),
        full: (isFull: boolean) => this.#hold(this.#held, isFull),
      };
      this.#response = new ModelResponse(events, this.#account.secret);
      this.#call = new UpstreamCall(pool, request, this.#deadlines, this.#response);
      // The SDK may make another call to continue an accepted answer.
      if (this.#accepted) this.#call.markAccepted();
      this.#full = false;
      if (this.#held) this.#call.pause();
    });

  /** Call when the upstream has accepted the turn: switches to the deadlines of an accepted answer. */
  markAccepted(): void {
    this.#accepted = true;
    this.#call?.markAccepted();
  }

  pause(): void {
    this.#hold(true, this.#full);
  }

  resume(): void {
    this.#hold(false, this.#full);
  }

  /** Call when the answer is complete: the connection may be reused. */
  finish(): void {
    this.#over = true;
    this.#call?.finish();
    this.#response?.close();
  }

  /** Closes the connection. */
  abort(): void {
    this.#over = true;
    this.#call?.abort();
    this.#giveUp(ABORTED);
    this.#response?.close();
  }

  #broke(error: GatewayError): void {
    this.failure = error;
    this.#call?.abort();
  }

  #hold(held: boolean, full: boolean): void {
    const wasPaused = this.#held || this.#full;
    this.#held = held;
    this.#full = full;
    const isPaused = held || full;
    if (isPaused === wasPaused) return;
    if (isPaused) this.#call?.pause();
    else this.#call?.resume();
  }
}

const ABORTED = new GatewayError('CANCELLED', 'the turn was given up');
