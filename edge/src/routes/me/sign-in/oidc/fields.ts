import { type ErrorCondition } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type RouteDeps } from '../../../deps.ts';
import { getOrigin } from '../../../origin.ts';

/** The default path after a sign-in. */
export const DEFAULT_RETURN_PATH = '/console/';

/** The path to redirect to afterwards. */
export const returnTo = z
  .string()
  .optional()
  .meta({ description: 'A path of this gateway to go to afterwards.', default: DEFAULT_RETURN_PATH });

/** Error codes of the communication with a provider. */
export const OIDC_ERRORS: readonly ErrorCondition[] = ['NOT_FOUND', 'OIDC_REFUSED', 'OIDC_UNAVAILABLE'];

/** Returns the redirect URI of a provider. It uses the configured origin, because the client chooses the Host header. */
export function toRedirectUri(req: IncomingMessage, deps: Pick<RouteDeps, 'config'>, slug: string): string {
  return `${getOrigin(req, deps)}/me/v1/sign-in/oidc/${slug}/callback`;
}
