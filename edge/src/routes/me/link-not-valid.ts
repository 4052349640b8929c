import { GatewayError } from '@parley/protos/errors';

/** The refusal of a link that was used, has expired, was revoked or never existed: who asks does not learn which. */
export function linkNotValid(message = 'the link was used, has expired, or never existed'): GatewayError {
  return new GatewayError('LINK_NOT_VALID', message);
}
