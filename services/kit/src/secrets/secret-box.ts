import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** An encryption key of 32 bytes with its id; the first key of a list encrypts, all of them decrypt. */
export interface SecretKey {
  id: string;
  key: Buffer;
}

const NONCE = 12;
const TAG = 16;

/** Encrypts secrets at rest with AES-256-GCM. Layout: id length (1), key id, nonce (12), tag (16), ciphertext. */
export class SecretBox {
  readonly #current: SecretKey;
  readonly #ring: ReadonlyMap<string, Buffer>;

  constructor(keys: readonly SecretKey[]) {
    const [current] = keys;
    if (!current) throw new Error('at least one secret key is needed');
    if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('two secret keys have the same id');
    this.#current = current;
    this.#ring = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** Id of the key that `seal` uses. */
  get currentKeyId(): string {
    return this.#current.id;
  }

  /** Encrypts a secret that belongs to `owner`, such as the id of a connection; it can be decrypted only with the same owner. */
  seal(owner: string, secret: string): Buffer {
    const { id, key } = this.#current;
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([id.length]), Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), sealed]);
  }

  /** Decrypts a result of `seal`. Throws when its key is unknown, or the owner or any byte differs. */
  open(owner: string, sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed);
    const idEnd = 1 + (bytes[0] ?? 0);
    const key = this.#ring.get(readSealedKeyId(bytes));
    if (!key) throw new Error(`no secret key with id ${readSealedKeyId(bytes)}`);
    const nonceEnd = idEnd + NONCE;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(idEnd, nonceEnd), { authTagLength: TAG }).setAAD(
      Buffer.from(owner),
    );
    decipher.setAuthTag(bytes.subarray(nonceEnd, nonceEnd + TAG));
    return decipher.update(bytes.subarray(nonceEnd + TAG), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** Returns the id of the key with which a secret was sealed. */
export function readSealedKeyId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, 1 + (sealed[0] ?? 0))).toString('latin1');
}
