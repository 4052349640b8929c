import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What an answer of the authenticator differs in from an honest one. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** False for an authenticator that has not asked for a finger or a PIN. */
  isVerified?: boolean;
  counter?: number;
  userHandle?: string | null;
  /** Signs with another key. */
  isForged?: boolean;
}

interface Options {
  challenge: string;
}
interface CreationOptions extends Options {
  user: { id: string };
}

/** Bits of the flags of authenticator data (WebAuthn level 3, section 6.1): present, verified, with a credential. */
const [UP, UV, AT] = [0x01, 0x04, 0x40];

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** An authenticator with one passkey, in software. */
export class SoftAuthenticator {
  readonly #origin: string;
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Makes the passkey: `toJSON()` of what `navigator.credentials.create` gives. */
  create(options: object, deviation: Deviation = {}) {
    const { challenge, user } = options as CreationOptions;
    this.#userHandle = user.id;
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, coseKey(this.#keys.publicKey)]);
    const authData = Buffer.concat([this.#authData(AT, 0, deviation), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    const attestationObject = base64url(isoCBOR.encode(attestation as never));
    const clientDataJSON = this.#clientData('webauthn.create', challenge, deviation);
    return { ...this.#named(), response: { clientDataJSON, attestationObject, transports: ['internal'] } };
  }

  /** Uses the passkey: `toJSON()` of what `navigator.credentials.get` gives. */
  get(options: object, deviation: Deviation = {}) {
    const authData = this.#authData(0, deviation.counter ?? ++this.#counter, deviation);
    const clientDataJSON = this.#clientData('webauthn.get', (options as Options).challenge, deviation);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const key = deviation.isForged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : this.#keys.privateKey;
    const { userHandle = this.#userHandle } = deviation;
    const signature = base64url(sign('sha256', signed, key));
    return { ...this.#named(), response: { clientDataJSON, authenticatorData: base64url(authData), signature, userHandle } };
  }

  #named() {
    return { id: base64url(this.#id), rawId: base64url(this.#id), type: 'public-key', clientExtensionResults: {} };
  }

  #authData(flags: number, counter: number, { rpId, isVerified = true }: Deviation): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | UP | (isVerified ? UV : 0), 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId ?? new URL(this.#origin).hostname), rest]);
  }

  #clientData(type: string, known: string, { challenge = known, origin = this.#origin }: Deviation): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}

function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  // EC2, ES256, P-256 (RFC 9053).
  const fields: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytesOf(x)],
    [-3, bytesOf(y)],
  ];
  return isoCBOR.encode(new Map(fields) as never);
}
