import { GatewayError } from '@parley/protos/errors';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Returns the requested page of a list; a limit of 0 means the default of 50. @throws VALIDATION_ERROR for more than 200 */
export function toPage({ limit, offset }: { limit: number; offset: number }): { limit: number; offset: number } {
  if (limit > MAX_LIMIT) throw new GatewayError('VALIDATION_ERROR', `limit is more than ${MAX_LIMIT}`, { param: 'limit' });
  return { limit: limit || DEFAULT_LIMIT, offset };
}
