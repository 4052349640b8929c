import { GatewayError } from '@parley/protos/errors';

/** LINK_NOT_VALID for a link that was used, has expired, was revoked or never existed; the caller does not learn which. */
export function linkNotValidError(message = 'the link was used, has expired, or never existed'): GatewayError {
  return new GatewayError('LINK_NOT_VALID', message);
}
