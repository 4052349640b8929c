import { LRUCache } from 'lru-cache';
import { type IncomingMessage } from 'node:http';
import { type RatePolicy } from '../config/fields.ts';
import { type RefusedOperatorKey } from '../store/audit-log.ts';
import { type ClientAddressResolver, toNetwork } from './client-address.ts';
import { ThrottledError } from './errors.ts';
import { LocalRateWindow, MAX_CLIENTS } from './local-rate-window.ts';
import { getRequestContext } from './request-context.ts';

const NOTE_EVERY_MS = 60_000;
/** Most audit entries in one minute, of all addresses together. */
export const MAX_AUDIT_ENTRIES_PER_MINUTE = 100;
const MAX_PATH = 200;

/**
 * Limits how many keys one address may try. An address that has sent too many wrong keys is rejected as operator for the rest of the
 * window, even with the right key: a different answer would confirm a guess. Keys of workspaces are not affected.
 */
export class OperatorKeyLimiter {
  readonly #policy: RatePolicy;
  readonly #wrong: LocalRateWindow;
  readonly #noted = new LRUCache<string, true>({ max: MAX_CLIENTS, ttl: NOTE_EVERY_MS });
  readonly #notes = new LocalRateWindow({ points: MAX_AUDIT_ENTRIES_PER_MINUTE, seconds: NOTE_EVERY_MS / 1_000 });
  readonly #clientAddress: ClientAddressResolver;
  readonly #note: (guess: RefusedOperatorKey) => void;

  /** `note` writes an audit entry about a wrong operator credential. */
  constructor(policy: RatePolicy, clientAddress: ClientAddressResolver, note: (guess: RefusedOperatorKey) => void) {
    this.#policy = policy;
    this.#wrong = new LocalRateWindow(policy);
    this.#clientAddress = clientAddress;
    this.#note = note;
  }

  /** Counts a wrong key against the address of the request. */
  countUnknownKey(req: IncomingMessage): void {
    this.#wrong.count(toNetwork(this.#clientAddress(req)));
  }

  /** True when the operator key is accepted from the address of the request. */
  allowsOperator(req: IncomingMessage): boolean {
    return this.#wrong.peek(toNetwork(this.#clientAddress(req))).remaining > 0;
  }

  /** Rejects a request that exchanges a credential when its address has sent too many wrong ones. @throws ThrottledError */
  requireAttemptAllowed(req: IncomingMessage): void {
    const { remaining, resetMs } = this.#wrong.peek(toNetwork(this.#clientAddress(req)));
    if (remaining === 0) throw new ThrottledError(this.#policy.text, resetMs, 'object');
  }

  /** Writes an audit entry for a wrong credential, at most one per address and minute. */
  auditWrongKey(req: IncomingMessage): void {
    const network = toNetwork(this.#clientAddress(req));
    if (this.#noted.has(network) || !this.#notes.count('all').isAdmitted) return;
    this.#noted.set(network, true);
    const path = (req.url ?? '').split('?', 1)[0]?.slice(0, MAX_PATH) ?? '';
    this.#note({ network, path, requestId: getRequestContext(req).id });
  }
}
