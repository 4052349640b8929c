import { describe, expect, it } from '@jest/globals';
import { TICKET_LIFETIME_MS, DownloadTicketSigner } from './download-ticket-signer.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ID = '01900000-0000-7000-8000-00000000000a';
const OTHER = '01900000-0000-7000-8000-00000000000b';
const NOW = 1_800_000_000_000;
const signer = new DownloadTicketSigner([NEW, OLD], 'test');

describe('DownloadTicketSigner', () => {
  it('accepts a ticket for its file for half a minute', () => {
    const ticket = signer.sign(ID, NOW);
    expect(signer.verify(ID, ticket, NOW)).toBe(true);
    expect(signer.verify(ID, ticket, NOW + TICKET_LIFETIME_MS - 1)).toBe(true);
    expect(signer.verify(ID, ticket, NOW + TICKET_LIFETIME_MS)).toBe(false);
    expect(signer.verify(OTHER, ticket, NOW)).toBe(false);
  });

  it('rejects a ticket with a later expiry, another secret or another purpose', () => {
    const [, signature] = signer.sign(ID, NOW).split('.');
    expect(signer.verify(ID, `${NOW + 2 * TICKET_LIFETIME_MS}.${signature}`, NOW)).toBe(false);
    expect(signer.verify(ID, new DownloadTicketSigner([Buffer.alloc(32, 3)], 'test').sign(ID, NOW), NOW)).toBe(false);
    expect(signer.verify(ID, new DownloadTicketSigner([NEW], 'other').sign(ID, NOW), NOW)).toBe(false);
  });

  it.each(['', '.', 'x.y', `${NOW}.`, `${NOW}.${'a'.repeat(42)}`, `-1.${'a'.repeat(43)}`])('rejects %j', (ticket) => {
    expect(signer.verify(ID, ticket, NOW)).toBe(false);
  });

  it('accepts a ticket that the previous secret signed', () => {
    expect(signer.verify(ID, new DownloadTicketSigner([OLD], 'test').sign(ID, NOW), NOW)).toBe(true);
  });
});
