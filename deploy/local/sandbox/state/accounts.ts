import { randomBytes } from 'node:crypto';
import { FaultQueue } from '../faults/fault-queue.ts';
import { type Account } from '../options.ts';
import { RequestWindow } from './request-window.ts';
import { type StateChangeOf } from './state-changes.ts';

/** Counters of an account since the server started. */
interface Counters {
  openStreams: number;
  turnsAccepted: number;
  /** Connections that the client closed before the response was complete. */
  abortedConnections: number;
  lastAbortAt: Date | undefined;
  /** Numbers of synthesized texts and of transcribed recordings. */
  speeches: number;
  transcriptions: number;
}

/** An account with its in-memory state. */
export interface AccountState {
  account: Account;
  readonly faults: FaultQueue;
  readonly requests: RequestWindow;
  readonly counters: Counters;
}

interface Session {
  readonly account: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Accounts by id and by API key, and their sessions. */
export class Accounts {
  private readonly states = new Map<string, AccountState>();
  private readonly byApiKey = new Map<string, AccountState>();
  private readonly sessions = new Map<string, Session>();

  get(id: string): AccountState | undefined {
    return this.states.get(id);
  }

  findByApiKey(key: string): AccountState | undefined {
    return this.byApiKey.get(key);
  }

  /** Returns the account of a valid session; undefined for any other token. */
  findBySessionToken(token: string): AccountState | undefined {
    const session = this.sessions.get(token);
    if (session === undefined) return undefined;
    if (session.expiresAt > Date.now()) return this.states.get(session.account);
    this.sessions.delete(token);
    return undefined;
  }

  newToken(): string {
    return `st_${randomBytes(24).toString('base64url')}`;
  }

  /** Creates or replaces an account; counters and faults of an existing one stay. */
  put({ account }: StateChangeOf<'account'>): void {
    const old = this.states.get(account.id);
    if (old?.account.api_key !== undefined) this.byApiKey.delete(old.account.api_key);
    const state = old ?? {
      account,
      faults: new FaultQueue(),
      requests: new RequestWindow(),
      counters: { openStreams: 0, turnsAccepted: 0, abortedConnections: 0, lastAbortAt: undefined, speeches: 0, transcriptions: 0 },
    };
    state.account = account;
    this.states.set(account.id, state);
    if (account.api_key !== undefined) this.byApiKey.set(account.api_key, state);
  }

  addSession(entry: StateChangeOf<'session'>): void {
    if (entry.expires_at > Date.now()) this.sessions.set(entry.token, { account: entry.account, expiresAt: entry.expires_at });
  }

  endSession(token: string): void {
    this.sessions.delete(token);
  }

  /** Returns the number of valid sessions of an account. */
  countSessions(account: string): number {
    const now = Date.now();
    return [...this.sessions.values()].filter((session) => session.account === account && session.expiresAt > now).length;
  }

  expireSessions(account: string): void {
    for (const [token, session] of this.sessions) if (session.account === account) this.sessions.delete(token);
  }
}
