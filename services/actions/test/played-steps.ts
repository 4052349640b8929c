import { GatewayError } from '@parley/protos/errors';
import { type StepResponse } from '../src/domain/step-response.ts';
import { StepError, type StepExecutor, type StepExecutors, type StepRequest } from '../src/steps/step-executor.ts';

/** What a step comes to: an answer, or what is thrown. */
export type Play = (request: StepRequest, signal: AbortSignal) => Promise<StepResponse> | StepResponse;

/** Does every step of a test as its plays say, and counts what it did: by step, one thing for each idempotency key where the step sends one. */
export class PlayedSteps {
  /** In their order. */
  readonly asked: StepRequest[] = [];
  /** How often something was really written. */
  readonly written = new Map<string, number>();
  readonly executors: StepExecutors;
  readonly #keys = new Set<string>();
  readonly #plays: Readonly<Record<string, Play>>;

  constructor(plays: Readonly<Record<string, Play>> = {}) {
    this.#plays = plays;
    const executor: StepExecutor = { execute: (request, signal) => this.#execute(request, signal) };
    this.executors = {
      ...{
        http: executor,
        chat: executor,
        speak: executor,
        transcribe: executor,
        extractText: executor,
        render: executor,
        select: executor,
      },
    };
  }

  /** Of one run, the ids of the steps that were asked for. */
  order(runId: string): string[] {
    return this.asked.filter((request) => request.runId === runId).map(({ step }) => step.id);
  }

  async #execute(request: StepRequest, signal: AbortSignal): Promise<StepResponse> {
    this.asked.push(request);
    return (this.#plays[request.step.id] ?? ((asked) => this.done(asked)))(request, signal);
  }

  /** Does it. */
  done({ step, runId, idempotencyKey }: StepRequest): StepResponse {
    const isKnown = step.idempotencyHeader !== undefined && this.#keys.has(idempotencyKey);
    this.#keys.add(idempotencyKey);
    const name = `${runId} ${step.id}`;
    if (step.risk !== 'read' && !isKnown) this.written.set(name, (this.written.get(name) ?? 0) + 1);
    return answer(200, { of: step.id });
  }
}

/** An answer. */
export function answer(statusCode: number, body: StepResponse['body'] = {}, headers: Record<string, string> = {}): StepResponse {
  return { statusCode, headers, body };
}

/** Nothing was answered. */
export function lost(effect: 'none' | 'unknown'): StepError {
  return new StepError(new GatewayError('PROVIDER_UNAVAILABLE', 'the connection broke'), effect);
}

/** Waits until it is released or aborted. */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const seen = { begun: 0, stopped: 0 };
  const pass = async (signal: AbortSignal): Promise<void> => {
    seen.begun++;
    await Promise.race([
      opened,
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
    ]).catch((error: unknown) => {
      seen.stopped++;
      throw error;
    });
  };
  return { seen, open, pass };
}
