import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';
import { GatewayError } from '@parley/protos/errors';

/** argon2id with the first parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. */
export const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;

/** The hash of a random, discarded text, with the same parameters; verified when a user has no password, so that the time is the same. */
export const DUMMY_PASSWORD_HASH = '$argon2id$v=19$m=19456,t=2,p=1$sbmyVlD6F1n6l1vT1HTV0A$z1+KSX+5VbRmDVb0E5yIa+/Kw0gi/7aqhL128fnTtto';

/** Most concurrent hashes: they run in the thread pool that files and name lookups use, too. */
const AT_ONCE = 2;
const MAX_WAITING = 200;
const RETRY_MS = 1_000;

/** Hashes and verifies passwords outside the event loop, two at a time. */
export class PasswordHasher {
  readonly #waiting: (() => void)[] = [];
  readonly #maxWaiting: number;
  #running = 0;

  constructor(maxWaiting = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
  }

  /** Returns the hash of a password in the PHC string format. @throws GatewayError SERVICE_UNAVAILABLE when too many calls wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normalise(password), ARGON2_PARAMETERS));
  }

  /**
   * True for the right password. For a null hash it does the same work and returns false.
   * @throws GatewayError SERVICE_UNAVAILABLE when too many calls wait
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const isRight = await this.#inTurn(() => verify(stored ?? DUMMY_PASSWORD_HASH, normalise(password)));
    return stored !== null && isRight;
  }

  /** True when a hash was made with parameters other than the current ones. */
  needsRehash(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return (
      memoryCost !== ARGON2_PARAMETERS.memoryCost ||
      timeCost !== ARGON2_PARAMETERS.timeCost ||
      parallelism !== ARGON2_PARAMETERS.parallelism
    );
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await this.#turn();
    else this.#running++;
    try {
      return await work();
    } finally {
      // The next caller takes over this slot.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'too many sign-ins wait', { retryAfterMs: RETRY_MS });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Normalises characters that can be typed in several ways (NIST SP 800-63B, section 3.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
