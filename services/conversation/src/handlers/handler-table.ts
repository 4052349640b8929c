import { type Handlers } from '@parley/kit/rpc/server';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type Store } from '../store/store.ts';
import { archiveConversation } from './archive-conversation.ts';
import { clearContinuity } from './clear-continuity.ts';
import { countBoundConversations } from './count-bound-conversations.ts';
import { countConversations } from './count-conversations.ts';
import { createConversation } from './create-conversation.ts';
import { deleteConversation } from './delete-conversation.ts';
import { getConversation } from './get-conversation.ts';
import { getMessage } from './get-message.ts';
import { heartbeat } from './heartbeat.ts';
import { importConversation } from './import-conversation.ts';
import { listConversations } from './list-conversations.ts';
import { listMessages } from './list-messages.ts';
import { listParticipants } from './list-participants.ts';
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
import { transferConversation } from './transfer-conversation.ts';
import { updateConversation } from './update-conversation.ts';
import { updateParticipant } from './update-participant.ts';

/** The handlers of the service's RPCs; each checks the permissions of the caller. */
export function handlerTable(store: Store): Handlers<typeof ConversationServiceService> {
  return {
    record: record(store),
    recallTurn: (request, call) => recallTurn(store, request, call),
    releaseIdempotencyKey: (request, call) => releaseIdempotencyKey(store, request, call),
    setContinuity: (request, call) => setContinuity(store, request, call),
    clearContinuity: (request) => clearContinuity(store, request),
    createConversation: (request, call) => createConversation(store, request, call),
    importConversation: (request, call) => importConversation(store, request, call),
    listConversations: (request, call) => listConversations(store, request, call),
    getConversation: (request, call) => getConversation(store, request, call),
    updateConversation: (request, call) => updateConversation(store, request, call),
    deleteConversation: (request, call) => deleteConversation(store, request, call),
    archiveConversation: (request, call) => archiveConversation(store, request, call),
    restoreConversation: (request, call) => restoreConversation(store, request, call),
    listMessages: (request, call) => listMessages(store, request, call),
    getMessage: (request, call) => getMessage(store, request, call),
    mergeUpstream: (request, call) => mergeUpstream(store, request, call),
    shareConversation: (request, call) => shareConversation(store, request, call),
    transferConversation: (request, call) => transferConversation(store, request, call),
    listParticipants: (request, call) => listParticipants(store, request, call),
    updateParticipant: (request, call) => updateParticipant(store, request, call),
    removeParticipant: (request, call) => removeParticipant(store, request, call),
    countConversations: (request, call) => countConversations(store, request, call),
    countBoundConversations: (request, call) => countBoundConversations(store, request, call),
    rebindConversations: (request, call) => rebindConversations(store, request, call),
    markConversations: (request, call) => markConversations(store, request, call),
    heartbeat: (request) => heartbeat(store, request),
  };
}
