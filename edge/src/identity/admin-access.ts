import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { type ClientAddressResolver } from '../middleware/client-address.ts';
import { type Actor, EMPTY_PRINCIPAL, type Principal } from '../middleware/principal.ts';
import { readBearerToken } from '../middleware/read-bearer-token.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { type AdminTokens } from './admin-tokens.ts';
import { type TokenRightsResolver } from './token-rights-resolver.ts';

/** Dependencies of `AdminAccess`. */
export interface AdminAccessDeps {
  tokens: Pick<AdminTokens, 'verify'>;
  holders: Pick<TokenRightsResolver, 'resolveRights'>;
  clientAddress: ClientAddressResolver;
}

/** Authenticates callers of the control plane by their token. */
export class AdminAccess {
  readonly #deps: AdminAccessDeps;

  constructor(deps: AdminAccessDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the principal for the token of a request, with the current rights of its holder.
   * @throws GatewayError INVALID_ADMIN_TOKEN, SECOND_FACTOR_REQUIRED or SERVICE_UNAVAILABLE
   */
  async authenticate(req: IncomingMessage): Promise<Principal> {
    const { tokens, holders, clientAddress } = this.#deps;
    const token = readBearerToken(req);
    if (token === undefined) throw missing('send a token of POST /admin/v1/token as Authorization: Bearer <token>');
    if (token === null) throw missing('the Authorization header must be Bearer <token>, with a token of POST /admin/v1/token');
    const claims = await tokens.verify(token);
    const rights = await holders.resolveRights(claims);
    const { kind, id, sessionId = claims.tokenId } = claims;
    const actor: Actor = { kind, id, sessionId, address: clientAddress(req), rights };
    const context = getRequestContext(req);
    const principal = { ...EMPTY_PRINCIPAL, requestId: context.id, span: context.span, operator: true, actor };
    context.principal = principal;
    return principal;
  }
}

function missing(message: string): GatewayError {
  return new GatewayError('INVALID_ADMIN_TOKEN', message);
}
