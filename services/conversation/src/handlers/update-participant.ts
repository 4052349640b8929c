import { type Call } from '@parley/kit/rpc/call';
import { type Participant, type UpdateParticipantRequest } from '@parley/protos/conversation/v1/resource';
import { type Deps } from '../deps.ts';
import { putParticipant } from './put-participant.ts';

/** Changes the role of a participant. @throws as `putParticipant`. */
export function updateParticipant(deps: Deps, request: UpdateParticipantRequest, call: Call): Promise<Participant> {
  return putParticipant(deps, request, call, false);
}
