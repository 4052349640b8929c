import { GatewayError } from '@parley/protos/errors';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Principal } from '../../middleware/principal.ts';
import { type ChatDeps } from './deps.ts';
import { ROUTING_HEADER_NAMES } from './parse-chat.ts';

/**
 * Applies the internal project of the header or of the key to the turn. An unknown slug stays in the turn: chat-routing distinguishes an
 * upstream slug in the wrong header from one that does not exist, and knows the project of a turn that must have one.
 * @throws GatewayError INTERNAL_PROJECT_OUT_OF_SCOPE when the key is bound to another project
 */
export async function applyInternalProject(deps: ChatDeps, turn: TurnRequest, principal: Principal): Promise<void> {
  const slug = turn.project || principal.project;
  const project = await deps.findInternalProject(principal.workspaceId, slug);
  if (!project) return;
  if (principal.project && principal.project !== project.slug) {
    throw new GatewayError('INTERNAL_PROJECT_OUT_OF_SCOPE', 'the key is bound to another internal project', {
      param: ROUTING_HEADER_NAMES.project,
    });
  }
  if (project.policy === 'require_project') turn.requireProject = true;
  turn.project = '';
}
