import { describe, expect, it } from '@jest/globals';
import { TICKET_MS, SignedUrlSigner } from './signed-url.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ID = '01900000-0000-7000-8000-00000000000a';
const OTHER = '01900000-0000-7000-8000-00000000000b';
const NOW = 1_800_000_000_000;
const booth = new SignedUrlSigner([NEW, OLD], 'test');

describe('SignedUrlSigner', () => {
  it('admits a ticket to its file for half a minute', () => {
    const ticket = booth.issue(ID, NOW);
    expect(booth.admits(ID, ticket, NOW)).toBe(true);
    expect(booth.admits(ID, ticket, NOW + TICKET_MS - 1)).toBe(true);
    expect(booth.admits(ID, ticket, NOW + TICKET_MS)).toBe(false);
    expect(booth.admits(OTHER, ticket, NOW)).toBe(false);
  });

  it('admits nothing that was made longer, or signed by another or for another purpose', () => {
    const [, signature] = booth.issue(ID, NOW).split('.');
    expect(booth.admits(ID, `${NOW + 2 * TICKET_MS}.${signature}`, NOW)).toBe(false);
    expect(booth.admits(ID, new SignedUrlSigner([Buffer.alloc(32, 3)], 'test').issue(ID, NOW), NOW)).toBe(false);
    expect(booth.admits(ID, new SignedUrlSigner([NEW], 'other').issue(ID, NOW), NOW)).toBe(false);
  });

  it.each(['', '.', 'x.y', `${NOW}.`, `${NOW}.${'a'.repeat(42)}`, `-1.${'a'.repeat(43)}`])('does not admit %j', (ticket) => {
    expect(booth.admits(ID, ticket, NOW)).toBe(false);
  });

  it('admits what the previous key signed', () => {
    expect(booth.admits(ID, new SignedUrlSigner([OLD], 'test').issue(ID, NOW), NOW)).toBe(true);
  });
});
