import { type StateChangeOf } from './state-changes.ts';

/** A ticket of one account. */
export interface Ticket {
  readonly id: string;
  readonly account: string;
  title: string;
  body: string;
  status: 'open' | 'closed';
  /** Epoch ms. */
  readonly at: number;
  /** Number of writes, including its creation. */
  writes: number;
}

/** A write with an idempotency key. */
export interface IdempotentWrite {
  readonly ticket: string;
  /** Digest of the request. */
  readonly digest: string;
}

/** Maximum number of remembered keys; the oldest are dropped first. */
const MOST_KEYS = 20_000;

/** All tickets, and the idempotency keys of their writes. */
export class Tickets {
  private readonly byId = new Map<string, Ticket>();
  private readonly keys = new Map<string, IdempotentWrite>();

  get(id: string): Ticket | undefined {
    return this.byId.get(id);
  }

  /** Oldest first. */
  listByAccount(account: string): Ticket[] {
    return [...this.byId.values()].filter((ticket) => ticket.account === account);
  }

  /** Returns the write of an account with this idempotency key; undefined without one. */
  findIdempotentWrite(account: string, key: string): IdempotentWrite | undefined {
    return this.keys.get(nameOf(account, key));
  }

  create({ id, account, title, body, status, at, key, digest }: StateChangeOf<'ticket'>): void {
    this.byId.set(id, { id, account, title, body, status, at, writes: 1 });
    this.remember(account, id, key, digest);
  }

  change({ ticket: id, title, body, status, key, digest }: StateChangeOf<'ticket_changed'>): void {
    const ticket = this.byId.get(id);
    if (ticket === undefined) return;
    Object.assign(ticket, { title, body, status, writes: ticket.writes + 1 });
    this.remember(ticket.account, id, key, digest);
  }

  private remember(account: string, ticket: string, key: string | undefined, digest: string): void {
    if (key === undefined) return;
    this.keys.set(nameOf(account, key), { ticket, digest });
    for (const oldest of this.keys.keys()) {
      if (this.keys.size <= MOST_KEYS) return;
      this.keys.delete(oldest);
    }
  }
}

function nameOf(account: string, key: string): string {
  return JSON.stringify([account, key]);
}
