import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type Deps } from '../deps.ts';
import { archiveConversation } from './archive-conversation.ts';
import { clearContinuity } from './clear-continuity.ts';
import { countBoundConversations } from './count-bound-conversations.ts';
import { countConversations } from './count-conversations.ts';
import { createConversation } from './create-conversation.ts';
import { deleteConversation } from './delete-conversation.ts';
import { getConversation } from './get-conversation.ts';
import { getMessage } from './get-message.ts';
import { getRequest } from './get-request.ts';
import { heartbeat } from './heartbeat.ts';
import { importConversation } from './import-conversation.ts';
import { listConversations } from './list-conversations.ts';
import { listMessages } from './list-messages.ts';
import { listParticipants } from './list-participants.ts';
import { listTurns } from './list-turns.ts';
import { markConversations } from './mark-conversations.ts';
import { mergeUpstream } from './merge-upstream.ts';
import { rebindConversations } from './rebind-conversations.ts';
import { recallTurn } from './recall-turn.ts';
import { record } from './record.ts';
import { releaseIdempotencyKey } from './release-idempotency-key.ts';
import { removeParticipant } from './remove-participant.ts';
import { restoreConversation } from './restore-conversation.ts';
import { setContinuity } from './set-continuity.ts';
import { shareConversation } from './share-conversation.ts';
import { sumTokens } from './sum-tokens.ts';
import { transferConversation } from './transfer-conversation.ts';
import { updateConversation } from './update-conversation.ts';
import { updateParticipant } from './update-participant.ts';

/** Maps every RPC of the service to its handler. Handlers check the caller's permissions themselves. */
export function handlerTable(deps: Deps): Handlers<typeof ConversationServiceService> {
  return {
    record: record(deps),
    recallTurn: (request, call) => recallTurn(deps, request, call),
    releaseIdempotencyKey: (request, call) => releaseIdempotencyKey(deps, request, call),
    setContinuity: (request, call) => setContinuity(deps, request, call),
    clearContinuity: (request) => clearContinuity(deps, request),
    createConversation: (request, call) => createConversation(deps, request, call),
    importConversation: (request, call) => importConversation(deps, request, call),
    listConversations: (request, call) => listConversations(deps, request, call),
    getConversation: (request, call) => getConversation(deps, request, call),
    updateConversation: (request, call) => updateConversation(deps, request, call),
    deleteConversation: (request, call) => deleteConversation(deps, request, call),
    archiveConversation: (request, call) => archiveConversation(deps, request, call),
    restoreConversation: (request, call) => restoreConversation(deps, request, call),
    listMessages: (request, call) => listMessages(deps, request, call),
    getMessage: (request, call) => getMessage(deps, request, call),
    mergeUpstream: (request, call) => mergeUpstream(deps, request, call),
    shareConversation: (request, call) => shareConversation(deps, request, call),
    transferConversation: (request, call) => transferConversation(deps, request, call),
    listParticipants: (request, call) => listParticipants(deps, request, call),
    updateParticipant: (request, call) => updateParticipant(deps, request, call),
    removeParticipant: (request, call) => removeParticipant(deps, request, call),
    countConversations: (request, call) => countConversations(deps, request, call),
    countBoundConversations: (request, call) => countBoundConversations(deps, request, call),
    rebindConversations: (request, call) => rebindConversations(deps, request, call),
    markConversations: (request, call) => markConversations(deps, request, call),
    heartbeat: (request) => heartbeat(deps, request),
    getRequest: (request, call) => getRequest(deps, request, call),
    listTurns: (request, call) => listTurns(deps, request, call),
    sumTokens: (request, call) => sumTokens(deps, request, call),
  };
}
