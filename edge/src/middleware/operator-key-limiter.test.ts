import { describe, expect, it } from '@jest/globals';
import { type IncomingMessage } from 'node:http';
import { MAX_AUDIT_ENTRIES_PER_MINUTE, OperatorKeyLimiter } from './operator-key-limiter.ts';

const POLICY = { points: 3, seconds: 60, text: '3 per 1 minute' };
const from = (address: string) => ({ url: '/admin/v1/keys', headers: {}, address }) as unknown as IncomingMessage;
const addressOf = (req: IncomingMessage) => (req as unknown as { address: string }).address;

describe('OperatorKeyLimiter', () => {
  it('stops believing an address after so many wrong keys, and no other', () => {
    const operatorKeys = new OperatorKeyLimiter(POLICY, addressOf, () => undefined);
    for (let n = 0; n < 3; n++) {
      expect(operatorKeys.allowsOperator(from('192.0.2.1'))).toBe(true);
      expect(() => operatorKeys.requireAttemptAllowed(from('192.0.2.1'))).not.toThrow();
      operatorKeys.countUnknownKey(from('192.0.2.1'));
    }
    expect(operatorKeys.allowsOperator(from('192.0.2.1'))).toBe(false);
    expect(() => operatorKeys.requireAttemptAllowed(from('192.0.2.1'))).toThrow('Rate limit exceeded: 3 per 1 minute');
    expect(operatorKeys.allowsOperator(from('192.0.2.2'))).toBe(true);
  });

  it('keeps a bounded number of entries on record, from however many addresses', () => {
    let entries = 0;
    const operatorKeys = new OperatorKeyLimiter(POLICY, addressOf, () => void entries++);
    for (let n = 0; n < 1_000; n++) operatorKeys.auditWrongKey(from(`2001:db8:${n.toString(16)}::1`));
    expect(entries).toBe(MAX_AUDIT_ENTRIES_PER_MINUTE);
  });
});
