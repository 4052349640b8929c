import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { readJson } from '../../middleware/body.ts';
import { sendError } from '../../middleware/errors.ts';
import { type Principal, requireScope } from '../../middleware/principal.ts';
import { contextOf } from '../../middleware/request-context.ts';
import { type ChatDeps } from './deps.ts';
import { LiveAnswers } from './live-answers.ts';
import { requireProject } from './project.ts';
import { type ParsedChat, parseChat } from './turn-request.ts';

/**
 * POST /v1/chat/completions (spec §4.2, §6), dispatched before Express. Refuses what is wrong with a coded error, counts the refusal,
 * and hands a valid request to chat-routing.
 */
export function createChatCompletions(deps: ChatDeps): (req: IncomingMessage, res: ServerResponse) => void {
  const answers = new LiveAnswers(deps);
  return (req, res) => {
    parse(deps, req, res).then(
      ({ chat, principal }) => answers.open(req, res, chat, principal),
      (error: unknown) => refuse(deps, req, res, toGatewayError(error)),
    );
  };
}

async function parse(deps: ChatDeps, req: IncomingMessage, res: ServerResponse): Promise<{ chat: ParsedChat; principal: Principal }> {
  const known = deps.authenticate(req);
  const principal = known instanceof Promise ? await known : known;
  requireScope(principal, 'chat');
  const counted = deps.throttle('rate_limit', req, res);
  if (counted) await counted;
  deps.workspaces.enter(principal, res);
  const json = await readJson(req, { limitBytes: deps.config.maxChatBodyBytes, idleMs: deps.config.bodyIdleMs });
  const chat = parseChat(json, req.headers);
  if (chat.turn.project || principal.project) await requireProject(deps, chat.turn, principal);
  return { chat, principal };
}

function refuse(deps: ChatDeps, req: IncomingMessage, res: ServerResponse, error: GatewayError): void {
  const { id, principal } = contextOf(req);
  if (principal && error.condition !== 'CANCELLED') deps.refusals.count(principal, error.row.http === 429 ? 'rate_limited' : 'errors');
  sendError(res, id, error);
}
