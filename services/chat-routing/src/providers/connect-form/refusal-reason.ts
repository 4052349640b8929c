import { type Condition, type GatewayError } from '@parley/protos/errors';

/** Conditions that say of what was typed that it is wrong, with the words for people; an empty one keeps its own. */
const REASONS: Partial<Record<Condition, string>> = {
  ACCOUNT_REAUTH_REQUIRED: 'the provider does not accept the key',
  PROVIDER_FORBIDDEN: 'the provider does not admit this key',
  UPSTREAM_ACCOUNT_NOT_AUTHORIZED: '',
  PROVIDER_REJECTED_REQUEST: 'the provider does not accept the request; the base URL or the key may be wrong',
  INVALID_REQUEST: '',
};

/** Why a provider does not take what was typed; undefined for a failure that says nothing of it, such as one of a provider that is away. */
export function refusalReason({ condition, message }: GatewayError): string | undefined {
  const reason = REASONS[condition];
  return reason === '' ? message : reason;
}
