import { type TurnCompleted } from '@parley/protos/routing/v1/routing';
import { NOTHING_RESERVED, type Reservation } from '../../quota/reservation.ts';
import { type ChatPrompt, estimatePromptTokens, estimateTokens } from './expected-tokens.ts';

/** What a turn takes of the quotas that were reserved for it. Whoever has none costs it nothing. */
export class TurnSettlement {
  readonly #reservation: Reservation;
  readonly #question: ChatPrompt;
  readonly #hasQuota: boolean;
  #heard = 0;

  constructor(reservation: Reservation, question: ChatPrompt) {
    this.#reservation = reservation;
    this.#question = question;
    this.#hasQuota = reservation !== NOTHING_RESERVED;
  }

  /** Notes text that came. */
  heard(texts: readonly string[]): void {
    if (this.#hasQuota) for (const text of texts) this.#heard += estimateTokens(text);
  }

  /** Pays what the upstream counted. */
  completed({ tokensIn, tokensOut }: Pick<TurnCompleted, 'tokensIn' | 'tokensOut'>): void {
    this.#reservation.settle({ tokens: tokensIn + tokensOut });
  }

  /** Pays no tokens: no upstream has seen the turn. */
  refused(): void {
    this.#reservation.settle({ tokens: 0 });
  }

  /** Pays for the question and for what came of the answer: nobody told how much it was. */
  broken(): void {
    if (this.#hasQuota) this.#reservation.settle({ tokens: estimatePromptTokens(this.#question) + this.#heard });
  }
}
