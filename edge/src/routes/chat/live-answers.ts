import { type IncomingMessage, type ServerResponse } from 'node:http';
import { LinkedSet } from '@parley/kit/collections/linked-set';
import { GatewayError } from '@parley/protos/errors';
import { type AdmittedChat } from './admitted-chat.ts';
import { Answer } from './answer.ts';
import { type ChatDeps } from './deps.ts';

/** Answers that are open this long before the end of a drain fail with SHUTTING_DOWN. */
const DRAIN_SLACK_MS = 5_000;

/** The answers that are being given, so that a drain can end those it cannot wait for. */
export class LiveAnswers {
  readonly #deps: ChatDeps;
  readonly #live = new LinkedSet<Answer>();

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    const stopAll = () => {
      const error = new GatewayError('SHUTTING_DOWN', 'the gateway is shutting down', { retryAfterMs: 1_000 });
      for (const answer of this.#live) answer.stop(error);
    };
    const patience = Math.max(0, deps.config.drainMs - DRAIN_SLACK_MS);
    const begin = () => {
      // The text of those that wait for assets was sent; clients can poll the assets.
      for (const answer of this.#live) answer.release();
      setTimeout(stopAll, patience).unref();
    };
    deps.draining.addEventListener('abort', begin, { once: true });
  }

  /** Asks chat-routing for the turn and answers with what comes back. */
  open(req: IncomingMessage, res: ServerResponse, admitted: AdmittedChat): void {
    if (res.destroyed) return admitted.reservation.settle({ tokens: 0 });
    const answer = new Answer({ deps: this.#deps, req, res, ...admitted }, () => this.#live.delete(answer));
    this.#live.add(answer);
    answer.start();
  }
}
