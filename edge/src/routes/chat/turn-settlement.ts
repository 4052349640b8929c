import { type TurnCompleted } from '@parley/protos/routing/v1/routing';
import { EMPTY_RESERVATION, type QuotaReservation } from '../../quota/quota-reservation.ts';
import { type ChatPrompt, estimatePromptTokens, estimateTokens } from './estimate-tokens.ts';

/** Settles the reserved quotas of a turn. Does nothing for a key without quotas. */
export class TurnSettlement {
  readonly #reservation: QuotaReservation;
  readonly #question: ChatPrompt;
  readonly #hasQuota: boolean;
  #receivedTokens = 0;

  constructor(reservation: QuotaReservation, question: ChatPrompt) {
    this.#reservation = reservation;
    this.#question = question;
    this.#hasQuota = reservation !== EMPTY_RESERVATION;
  }

  /** Counts received text of the answer. */
  addReceivedText(texts: readonly string[]): void {
    if (this.#hasQuota) for (const text of texts) this.#receivedTokens += estimateTokens(text);
  }

  /** Settles the token counts of the upstream. */
  settleReportedTokens({ tokensIn, tokensOut }: Pick<TurnCompleted, 'tokensIn' | 'tokensOut'>): void {
    this.#reservation.settle({ tokens: tokensIn + tokensOut });
  }

  /** Settles no tokens: no upstream has received the turn. */
  settleZeroTokens(): void {
    this.#reservation.settle({ tokens: 0 });
  }

  /** Settles the estimated tokens of the prompt and of the received text, because the upstream sent no counts. */
  settleEstimatedTokens(): void {
    if (this.#hasQuota) this.#reservation.settle({ tokens: estimatePromptTokens(this.#question) + this.#receivedTokens });
  }
}
