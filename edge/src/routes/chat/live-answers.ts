import { LinkedSet } from '@parley/kit/collections/linked-set';
import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AdmittedChat } from './admitted-chat.ts';
import { AnswerReplay } from './answer-replay.ts';
import { Answer } from './answer.ts';
import { type ChatDeps } from './deps.ts';
import { getAssetWaitMs, getDrainTimeoutMs } from './drain-timeouts.ts';

/** The open answers of this edge. A drain ends those that do not finish in time. */
export class LiveAnswers {
  readonly #deps: ChatDeps;
  readonly #live = new LinkedSet<Answer>();

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    const stopAll = () => {
      const error = new GatewayError('SHUTTING_DOWN', 'the gateway is shutting down', { retryAfterMs: 1_000 });
      for (const answer of this.#live) answer.cancelWithError(error);
    };
    const begin = () => {
      // Their text was sent; clients can poll the assets.
      if (getAssetWaitMs(deps) === 0) for (const answer of this.#live) answer.endAssetWait();
      setTimeout(stopAll, getDrainTimeoutMs(deps.config)).unref();
    };
    deps.draining.addEventListener('abort', begin, { once: true });
  }

  /** Calls chat-routing for the turn and sends the answer; a request that repeats an answer in progress receives that answer. */
  open(req: IncomingMessage, res: ServerResponse, admitted: AdmittedChat): void {
    if (res.destroyed) return admitted.reservation.settle({ tokens: 0 });
    const deps = this.#deps;
    const underWay = deps.resumableAnswers.find(admitted);
    if (underWay) {
      // The first request pays for it.
      admitted.reservation.settle({ tokens: 0 });
      return underWay.addClient(res);
    }
    const replay = deps.resumableAnswers.canAdd(admitted) ? new AnswerReplay(deps) : undefined;
    const { chat, principal, reservation } = admitted;
    const answer = new Answer({ deps, req, res, replay, chat, principal, reservation }, () => {
      this.#live.delete(answer);
      forget?.();
    });
    this.#live.add(answer);
    const forget = replay && deps.resumableAnswers.add(admitted, answer);
    answer.start();
  }
}
