import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { type Rights } from '../config/roles.ts';
import { type SigningKeys } from './signing-keys.ts';

/** The holder that a token is issued for. */
export interface TokenSubject {
  kind: 'operator' | 'user' | 'service_account';
  /** Id of the user or the service account; null for the operator. */
  id: string | null;
  /** The login session of a user; absent for other holders. */
  sessionId?: string;
  /** Identifies the credential that the token was exchanged for, so that the token ends when the credential changes; absent for users. */
  proof?: string;
}

/** The verified claims of a token. */
export interface TokenClaims extends TokenSubject {
  /** The `jti` of the token. */
  tokenId: string;
}

/** A new token, its id and its expiry. */
export interface IssuedToken {
  id: string;
  token: string;
  expiresAt: Date;
}

/** Dependencies of `AdminTokens`. */
export interface AdminTokensDeps {
  keys: Pick<SigningKeys, 'getSigningKey' | 'findVerificationKey'>;
  /** Returns the id of this gateway, which is issuer and audience of the tokens. */
  instanceId: () => Promise<string>;
  now?: () => number;
}

/** Lifetime of a token, in milliseconds. */
export const ADMIN_TOKEN_LIFETIME_MS = 600_000;
/** Tolerated difference between the clocks of edges, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 150_000;
const ALG = 'EdDSA';
/** The `typ` of access tokens (RFC 9068), so that no other kind of JWT is accepted. */
const TYPE = 'at+jwt';
const HEADER = ['alg', 'kid', 'typ'];
const MAX_TOKEN = 8_192;
/** Most memberships in the `roles` claim, which is only for readers of the token; further ones are left out. */
const MAX_MEMBERSHIPS = 20;
const OPERATOR = 'operator';

const claims = z.object({
  sub: z.string().min(1),
  jti: z.string().min(1),
  kind: z.enum(['operator', 'user', 'service_account']),
  sid: z.string().optional(),
  proof: z.string().optional(),
});

/**
 * Issues and verifies the tokens of the control plane: JWT (RFC 7519) with Ed25519 signatures. Rights are decided elsewhere
 * (`TokenRightsResolver`).
 */
export class AdminTokens {
  readonly #deps: AdminTokensDeps;
  readonly #now: () => number;
  #issuer: string | undefined;

  constructor(deps: AdminTokensDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
  }

  /** Issues a token. @throws GatewayError SERVICE_UNAVAILABLE */
  async issue({ kind, id, sessionId, proof }: TokenSubject, { instanceRole, memberships }: Rights): Promise<IssuedToken> {
    const [{ id: kid, key }, issuer] = await Promise.all([this.#deps.keys.getSigningKey(), this.#instance()]);
    const tokenId = uuidv7();
    const issuedAt = Math.floor(this.#now() / 1_000);
    const expiresAt = issuedAt + ADMIN_TOKEN_LIFETIME_MS / 1_000;
    const roles = {
      instance_role: instanceRole,
      memberships: memberships.slice(0, MAX_MEMBERSHIPS).map(({ workspaceId, role }) => ({ workspace_id: workspaceId, role })),
    };
    const token = await new SignJWT({
      kind,
      roles,
      ...(sessionId !== undefined && { sid: sessionId }),
      ...(proof !== undefined && { proof }),
    })
      .setProtectedHeader({ alg: ALG, kid, typ: TYPE })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(id ?? OPERATOR)
      .setJti(tokenId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key);
    return { id: tokenId, token, expiresAt: new Date(expiresAt * 1_000) };
  }

  /**
   * Returns the claims of a token that this gateway issued and that has not expired.
   * @throws GatewayError INVALID_ADMIN_TOKEN or SERVICE_UNAVAILABLE
   */
  async verify(token: string): Promise<TokenClaims> {
    const key = await this.#deps.keys.findVerificationKey(readKid(token));
    if (!key) throw invalid('it was signed with an unknown key');
    const issuer = await this.#instance();
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALG],
        typ: TYPE,
        issuer,
        audience: issuer,
        clockTolerance: CLOCK_TOLERANCE_MS / 1_000,
        maxTokenAge: ADMIN_TOKEN_LIFETIME_MS / 1_000,
        requiredClaims: ['exp', 'iat', 'sub', 'jti'],
        currentDate: new Date(this.#now()),
      });
      const { sub, jti, kind, sid, proof } = claims.parse(payload);
      const id = kind === OPERATOR ? null : sub;
      return { kind, id, tokenId: jti, ...(sid !== undefined && { sessionId: sid }), ...(proof !== undefined && { proof }) };
    } catch (cause) {
      throw invalid(cause instanceof errors.JWTExpired ? 'it has expired' : 'it was not made by this gateway', cause);
    }
  }

  async #instance(): Promise<string> {
    return (this.#issuer ??= `urn:uuid:${await this.#deps.instanceId()}`);
  }
}

/**
 * Returns the id of the key in the header, which may contain only algorithm, type and key id: no keys, URLs or extensions that a client
 * chooses.
 */
function readKid(token: string): string {
  if (token.length > MAX_TOKEN) throw invalid('it is too long');
  const header = headerOf(token);
  if (header.alg !== ALG || typeof header.kid !== 'string' || Object.keys(header).some((name) => !HEADER.includes(name))) {
    throw invalid('its header is not that of a token of this gateway');
  }
  return header.kid;
}

function headerOf(token: string): ReturnType<typeof decodeProtectedHeader> {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw invalid(
      'it is no token; exchange the operator key, or the secret of a service account, for one with POST /admin/v1/token',
      cause,
    );
  }
}

function invalid(problem: string, cause?: unknown): GatewayError {
  return new GatewayError('INVALID_ADMIN_TOKEN', `the token is not valid: ${problem}`, { cause });
}
