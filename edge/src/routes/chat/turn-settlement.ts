import { type TurnCompleted } from '@parley/protos/routing/v1/routing';
import { EMPTY_RESERVATION, type Reservation } from '../../quota/reservation.ts';
import { type ChatPrompt, estimatePromptTokens, estimateTokens } from './expected-tokens.ts';

/** Settles the reserved quotas of a turn. Does nothing for a key without quotas. */
export class TurnSettlement {
  readonly #reservation: Reservation;
  readonly #question: ChatPrompt;
  readonly #hasQuota: boolean;
  #receivedTokens = 0;

  constructor(reservation: Reservation, question: ChatPrompt) {
    this.#reservation = reservation;
    this.#question = question;
    this.#hasQuota = reservation !== EMPTY_RESERVATION;
  }

  /** Counts received text of the answer. */
  received(texts: readonly string[]): void {
    if (this.#hasQuota) for (const text of texts) this.#receivedTokens += estimateTokens(text);
  }

  /** Settles the token counts of the upstream. */
  completed({ tokensIn, tokensOut }: Pick<TurnCompleted, 'tokensIn' | 'tokensOut'>): void {
    this.#reservation.settle({ tokens: tokensIn + tokensOut });
  }

  /** Settles no tokens: no upstream has received the turn. */
  refused(): void {
    this.#reservation.settle({ tokens: 0 });
  }

  /** Settles the estimated tokens of the prompt and of the received text, because the upstream sent no counts. */
  broken(): void {
    if (this.#hasQuota) this.#reservation.settle({ tokens: estimatePromptTokens(this.#question) + this.#receivedTokens });
  }
}
