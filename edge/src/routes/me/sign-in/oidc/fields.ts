import { type IncomingMessage } from 'node:http';
import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { type RouteDeps } from '../../../deps.ts';
import { getOrigin } from '../../../origin.ts';

/** Where people go after a sign-in that names no place. */
export const HOME = '/console/';

/** Where to go afterwards. */
export const returnTo = z.string().optional().meta({ description: 'A path of this gateway to go to afterwards.', default: HOME });

/** What goes wrong between the gateway and a provider. */
export const OIDC_ERRORS: readonly Condition[] = ['NOT_FOUND', 'OIDC_REFUSED', 'OIDC_UNAVAILABLE'];

/** Where a provider sends browsers: of the origin that is configured, as the Host header is the client's to choose. */
export function redirectUriOf(req: IncomingMessage, deps: Pick<RouteDeps, 'config'>, slug: string): string {
  return `${getOrigin(req, deps)}/me/v1/sign-in/oidc/${slug}/callback`;
}
