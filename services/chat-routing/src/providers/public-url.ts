import { isPublicIp, isPublicHost, parseIp } from '@parley/kit/egress/public-address';
import { GatewayError } from '@parley/protos/errors';
import { lookup } from 'node:dns/promises';
import { requireValidBaseUrl } from '../domain/connection-input.ts';

/** Resolves a host name to all of its addresses. */
export type ResolveHost = (name: string) => Promise<readonly { address: string }[]>;

const BY_SYSTEM: ResolveHost = (name) => lookup(name, { all: true });

/**
 * Validates a base URL that a user entered. Unless `mayBePrivate`, its host must be public and resolve only to public addresses. Throws
 * CONNECT_STEP_INVALID, or PROVIDER_UNAVAILABLE for a name that does not resolve.
 */
export async function requirePublicUrl(baseUrl: string, mayBePrivate: boolean, resolve = BY_SYSTEM): Promise<void> {
  try {
    requireValidBaseUrl(baseUrl);
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
  // A single private address is enough to reject: the next lookup may return it first.
  const isPrivate = ({ address }: { address: string }) => {
    const ip = parseIp(address);
    return !ip || !isPublicIp(ip);
  };
  if (found.some(isPrivate)) throw notPublic();
}

function notPublic(): GatewayError {
  return invalid('the host is not public; an operator can connect it');
}

function invalid(message: string): GatewayError {
  return new GatewayError('CONNECT_STEP_INVALID', message, { param: 'base_url' });
}
