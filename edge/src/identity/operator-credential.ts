import { hash, timingSafeEqual } from 'node:crypto';
import { type SecretBox } from '@parley/kit/secrets/secret-box';

const OWNER = 'operator_key';

/** The configured operator key: whether a text is it, and proof in a token that it still is the configured one. */
export class OperatorCredential {
  readonly #digest: Buffer | undefined;
  readonly #secrets: Pick<SecretBox, 'seal' | 'open'>;

  constructor(operatorKey: string | undefined, secrets: Pick<SecretBox, 'seal' | 'open'>) {
    this.#digest = operatorKey === undefined ? undefined : digestOf(operatorKey);
    this.#secrets = secrets;
  }

  /** True for the operator key, in constant time. */
  matches(key: string): boolean {
    return this.#digest !== undefined && timingSafeEqual(digestOf(key), this.#digest);
  }

  /** What a token carries of the key. It is encrypted: who reads a token must not be able to guess a weak key by it. */
  prove(): string {
    return this.#secrets.seal(OWNER, this.#digest?.toString('base64') ?? '').toString('base64url');
  }

  /** True when a proof was made of the key that is configured now. */
  isCurrent(proof: string | undefined): boolean {
    if (this.#digest === undefined || proof === undefined) return false;
    try {
      const digest = Buffer.from(this.#secrets.open(OWNER, Buffer.from(proof, 'base64url')), 'base64');
      return digest.length === this.#digest.length && timingSafeEqual(digest, this.#digest);
    } catch {
      // Encrypted with a key that is gone.
      return false;
    }
  }
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
