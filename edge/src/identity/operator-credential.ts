import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { hash, timingSafeEqual } from 'node:crypto';

const OWNER = 'operator_key';

/** The configured operator key. Checks a text against it, and creates and checks the proof in a token that the key has not changed. */
export class OperatorCredential {
  readonly #digest: Buffer | undefined;
  readonly #secrets: Pick<SecretBox, 'seal' | 'open'>;

  constructor(operatorKey: string | undefined, secrets: Pick<SecretBox, 'seal' | 'open'>) {
    this.#digest = operatorKey === undefined ? undefined : digestOf(operatorKey);
    this.#secrets = secrets;
  }

  /** True when the text is the operator key; compares in constant time. */
  matches(key: string): boolean {
    return this.#digest !== undefined && timingSafeEqual(digestOf(key), this.#digest);
  }

  /** Returns the proof for a token. It is encrypted, so that a reader of the token cannot guess a weak key from it. */
  createProof(): string {
    return this.#secrets.seal(OWNER, this.#digest?.toString('base64') ?? '').toString('base64url');
  }

  /** True when the proof was created from the current operator key. */
  isCurrent(proof: string | undefined): boolean {
    if (this.#digest === undefined || proof === undefined) return false;
    try {
      const digest = Buffer.from(this.#secrets.open(OWNER, Buffer.from(proof, 'base64url')), 'base64');
      return digest.length === this.#digest.length && timingSafeEqual(digest, this.#digest);
    } catch {
      // It was encrypted with a key that is no longer configured.
      return false;
    }
  }
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
