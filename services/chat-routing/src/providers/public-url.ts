import { lookup } from 'node:dns/promises';
import { isPublic, isPublicHost, parseIp } from '@parley/kit/egress/public-address';
import { GatewayError } from '@parley/protos/errors';
import { requireBaseUrl } from '../domain/connection-input.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly { address: string }[]>;

const BY_SYSTEM: Resolve = (name) => lookup(name, { all: true });

/**
 * Checks a base URL that a person has typed: one who may use no private addresses gets no further than public hosts, whatever they resolve to. Throws
 * CONNECT_STEP_INVALID, or PROVIDER_UNAVAILABLE for a name that does not resolve.
 */
export async function requirePublicUrl(baseUrl: string, mayBePrivate: boolean, resolve = BY_SYSTEM): Promise<void> {
  try {
    requireBaseUrl(baseUrl);
  } catch (error) {
    throw error instanceof GatewayError ? invalid(error.message) : error;
  }
  if (mayBePrivate) return;
  const { hostname } = new URL(baseUrl);
  if (!isPublicHost(hostname)) throw notPublic();
  if (parseIp(hostname)) return;
  const found = await resolve(hostname).catch((cause: unknown) => {
    throw new GatewayError('PROVIDER_UNAVAILABLE', 'the name of the provider does not resolve', { cause });
  });
  // One private address is enough: the name server may give it the next time.
  const isPrivate = ({ address }: { address: string }) => {
    const ip = parseIp(address);
    return !ip || !isPublic(ip);
  };
  if (found.some(isPrivate)) throw notPublic();
}

function notPublic(): GatewayError {
  return invalid('the host is not public; an operator can connect it');
}

function invalid(message: string): GatewayError {
  return new GatewayError('CONNECT_STEP_INVALID', message, { param: 'base_url' });
}
