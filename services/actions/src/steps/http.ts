import { toSampledTraceparent } from '@parley/kit/telemetry/traceparent';
import { GatewayError } from '@parley/protos/errors';
import { type Dispatcher } from 'undici';
import { type StepResponse } from '../domain/step-response.ts';
import { buildRequest, type OutgoingRequest } from './build-request.ts';
import { type ConnectionsClient, type Credentials, withCredentials } from './credentials.ts';
import { type EgressGuard, EgressRefused } from './egress-guard.ts';
import { readStepResponse } from './read-step-response.ts';
import { toApiRequestError } from './step-errors.ts';
import { type StepExecutor, type StepRequest, StepError } from './step-executor.ts';

/** Dependencies of API calls. */
export interface HttpDeps {
  connections: ConnectionsClient;
  guard: EgressGuard;
  /** Maximum size of a response in bytes. */
  maxResponseBytes: number;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the executor of API calls. It sends a request once: the run decides about retries. A sampled trace is passed on to the API, in
 * the header `traceparent` unless the document sets that (ADR 0055).
 */
export function httpExecutor(deps: HttpDeps): StepExecutor {
  return {
    execute: async (request, signal) => {
      const traceparent = toSampledTraceparent(request.traceparent);
      const built = buildRequest(asHttp(request));
      const outgoing = traceparent === '' ? built : { ...built, headers: { traceparent, ...built.headers } };
      return withCredentials(deps.connections, request, signal, (credentials) => new StepHttpCall(deps, credentials, signal).run(outgoing));
    },
  };
}

type HttpStep = Parameters<typeof buildRequest>[0];

function asHttp(request: StepRequest): HttpStep {
  if (request.step.operation.kind === 'http') return request as HttpStep;
  throw new StepError(new GatewayError('INTERNAL_ERROR', 'the step calls no API'), 'none');
}

/** One request and the redirects that follow it. */
class StepHttpCall {
  readonly #deps: HttpDeps;
  readonly #credentials: Credentials | undefined;
  readonly #signal: AbortSignal;
  /** Whether any byte of a request may have been sent. */
  #sent = false;
  #used = false;

  constructor(deps: HttpDeps, credentials: Credentials | undefined, signal: AbortSignal) {
    this.#deps = deps;
    this.#credentials = credentials;
    this.#signal = signal;
  }

  async run(first: OutgoingRequest): Promise<{ response: StepResponse; used: boolean }> {
    try {
      let request = first;
      for (let redirects = 0; ; redirects++) {
        const response = await this.#send(request);
        const next = REDIRECTS.has(response.statusCode) ? response.headers['location'] : undefined;
        if (next === undefined) return { response, used: this.#used };
        if (redirects === MAX_REDIRECTS) throw new EgressRefused('the API redirects too often');
        request = this.#redirected(request, response.statusCode, next);
      }
    } catch (error) {
      throw toApiRequestError(error, this.#sent, this.#signal);
    }
  }

  async #send({ method, url, headers, body }: OutgoingRequest): Promise<StepResponse> {
    const { guard, maxResponseBytes } = this.#deps;
    guard.admit(url, this.#credentials?.baseUrl);
    const credentials = this.#credentials?.headersFor(url) ?? {};
    if (Object.keys(credentials).length > 0) this.#used = true;
    const answer = await guard.dispatcher.compose(this.#noticing).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...credentials },
      body: body ?? null,
      signal: this.#signal,
    });
    return readStepResponse(answer, maxResponseBytes, this.#credentials?.secret ?? '');
  }

  /** Undici reports when it starts to write a request, which is after the connect. */
  readonly #noticing: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch(
      options,
      noticing(handler, () => (this.#sent = true)),
    );

  /** Returns the request after a redirect, as browsers do (Fetch, 4.4), but sends no body or credentials to another origin. */
  #redirected({ method, url, headers, body }: OutgoingRequest, status: number, location: string): OutgoingRequest {
    if (!URL.canParse(location, url.href)) throw new EgressRefused('the API redirects to what is no URL');
    const next = new URL(location, url);
    if (next.origin !== url.origin) {
      const isTrusted = this.#used || body !== undefined || 'authorization' in headers || 'cookie' in headers;
      if (isTrusted) throw new EgressRefused('the API redirects elsewhere what was meant for it alone');
    }
    const becomesGet = status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';
    if (!becomesGet) return { method, url: next, headers, body };
    const { 'content-type': _type, ...rest } = headers;
    return { method: 'GET', url: next, headers: rest, body: undefined };
  }
}

/** Returns a handler that passes everything on, and calls `begun` when the request starts to be written. */
function noticing(handler: Dispatcher.DispatchHandler, begun: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context);
      // A request that was aborted before it started is not sent.
      if (!controller.aborted) begun();
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
