import { type Call } from '@parley/kit/rpc/call';
import { type Participant, type ShareConversationRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { putParticipant } from './put-participant.ts';

/** Shares a conversation with a user of the workspace, or changes the role of a participant. @throws as `putParticipant`. */
export function shareConversation(deps: Deps, request: ShareConversationRequest, call: Call): Promise<Participant> {
  return putParticipant(deps, request, call, true);
}
