import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type EdgeConfig } from '../config.ts';
import { listOwnOrigins } from './same-origin.ts';

/** The site that passkeys of this gateway are bound to. */
export interface RelyingParty {
  /** The host name, the relying party identifier of WebAuthn. */
  rpId: string;
  /** Origins of pages that may request passkeys. */
  origins: string[];
}

/**
 * Returns the site that passkeys are created for and used on. Browsers offer passkeys only on host names, over HTTPS or on `localhost`.
 * @throws GatewayError INVALID_REQUEST when the page of this request cannot have passkeys
 */
export function getRelyingParty(req: IncomingMessage, config: Pick<EdgeConfig, 'publicUrl'>): RelyingParty {
  const own = listOwnOrigins(req, config);
  const origins = own.filter(canHavePasskeys);
  const [first] = origins;
  const { origin } = req.headers;
  if (first !== undefined && (origin === undefined || origins.includes(origin))) return { rpId: new URL(first).hostname, origins };
  const remedy = first === undefined ? 'set PARLEY_PUBLIC_URL to an https origin with a host name' : `open ${first}`;
  const problem = `browsers have passkeys for host names only, over https or on localhost, and not for ${origin ?? own[0]}`;
  throw new GatewayError('INVALID_REQUEST', `${problem}: ${remedy}`, { param: 'Origin' });
}

/** True when a page of this gateway can have passkeys. */
export function canUsePasskeys(req: IncomingMessage, config: Pick<EdgeConfig, 'publicUrl'>): boolean {
  return listOwnOrigins(req, config).some(canHavePasskeys);
}

function canHavePasskeys(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isLocal || (protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['));
}
