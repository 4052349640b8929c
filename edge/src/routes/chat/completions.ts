import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { admit } from '../../admission/admit.ts';
import { sendError } from '../../middleware/errors.ts';
import { setLimitHeadersIfTighter } from '../../middleware/limit-headers.ts';
import { requireSingleHeaders } from '../../middleware/read-header.ts';
import { getRequestContext } from '../../middleware/request-context.ts';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { EMPTY_RESERVATION } from '../../quota/quota-reservation.ts';
import { type AdmittedChat } from './admitted-chat.ts';
import { applyInternalProject } from './apply-internal-project.ts';
import { type ChatDeps } from './deps.ts';
import { estimateChatAmounts } from './estimate-tokens.ts';
import { LiveAnswers } from './live-answers.ts';
import { ROUTING_HEADER_NAMES } from './parse-chat.ts';
import { readChat } from './read-chat.ts';
import { CHAT_ROUTE } from './route.ts';

/**
 * Returns the handler of POST /v1/chat/completions, which runs before Express, or of the route `row` that offers it to people. It answers
 * an invalid request with an error and counts it, and sends a valid one to chat-routing.
 */
export function createChatHandler(deps: ChatDeps, row: RouteSpec = CHAT_ROUTE): (req: IncomingMessage, res: ServerResponse) => void {
  const answers = new LiveAnswers(deps);
  return (req, res) => {
    parse(deps, row, req, res).then(
      (admitted) => answers.open(req, res, admitted),
      (error: unknown) => refuse(deps, req, res, toGatewayError(error)),
    );
  };
}

const HEADER_NAMES = Object.values(ROUTING_HEADER_NAMES);

async function parse(deps: ChatDeps, row: RouteSpec, req: IncomingMessage, res: ServerResponse): Promise<AdmittedChat> {
  const principal = await admit(row, deps, req, res);
  requireSingleHeaders(req, HEADER_NAMES);
  const chat = await readChat(deps, principal, req, res);
  if (chat.turn.project || principal.project) await applyInternalProject(deps, chat.turn, principal);
  const reserved = principal.quotas.length > 0 ? deps.reserve(principal.quotas, estimateChatAmounts(chat, deps.config)) : EMPTY_RESERVATION;
  const reservation = reserved instanceof Promise ? await reserved : reserved;
  if (reservation.tightestLimit) setLimitHeadersIfTighter(res, reservation.tightestLimit);
  return { chat, principal, reservation };
}

function refuse(deps: ChatDeps, req: IncomingMessage, res: ServerResponse, error: GatewayError): void {
  const { id, principal } = getRequestContext(req);
  if (principal && error.condition !== 'CANCELLED') deps.refusals.count(principal, error.row.http === 429 ? 'rate_limited' : 'errors');
  sendError(res, id, error);
}
