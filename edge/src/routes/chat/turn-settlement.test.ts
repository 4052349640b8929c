import { describe, expect, it } from '@jest/globals';
import { type MetricAmounts } from '../../quota/quota-reservation.ts';
import { type ChatPrompt, estimateMessageTokens } from './estimate-tokens.ts';
import { TurnSettlement } from './turn-settlement.ts';

const TURN: ChatPrompt['turn'] = { messages: [{ role: 'user', text: 'x'.repeat(40), parts: [] }] };

describe('TurnSettlement', () => {
  const paid = (pay: (payment: TurnSettlement) => void) => {
    const settled: MetricAmounts[] = [];
    pay(new TurnSettlement({ settle: (actual) => void settled.push(actual), tightestLimit: undefined }, { turn: TURN }));
    return settled;
  };

  it('pays what the upstream counted', () => {
    expect(paid((payment) => payment.settleReportedTokens({ tokensIn: 7, tokensOut: 11 }))).toEqual([{ tokens: 18 }]);
  });

  it('pays nothing for a turn that was refused', () => {
    expect(paid((payment) => payment.settleZeroTokens())).toEqual([{ tokens: 0 }]);
  });

  it('pays for the question and what was heard of the answer when a turn breaks', () => {
    expect(estimateMessageTokens(TURN)).toBe(14);
    const pay = (payment: TurnSettlement) => {
      payment.addReceivedText(['x'.repeat(8), 'ж'.repeat(4)]);
      payment.addReceivedText(['x']);
      payment.settleEstimatedTokens();
    };
    expect(paid(pay)).toEqual([{ tokens: 14 + 2 + 2 + 1 }]);
  });
});
