import { type Route } from '../http/router.ts';
import { getBranch } from './branch.ts';
import { createConversation, deleteConversation, deleteOpening, getConversation } from './conversations.ts';
import { postMessage, stopMessage } from './messages.ts';
import { listModels } from './models.ts';
import { getMe } from './get-me.ts';
import { signedIn } from './signed-in.ts';

/** Routes of the web chat; all of them need a session. */
export const chatRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/me', handle: signedIn(getMe) },
  { method: 'GET', path: '/api/models', handle: signedIn(listModels) },
  { method: 'POST', path: '/api/conversations', handle: signedIn(createConversation) },
  { method: 'GET', path: '/api/conversations/:id', handle: signedIn(getConversation) },
  { method: 'GET', path: '/api/conversations/:id/branch', handle: signedIn(getBranch) },
  { method: 'DELETE', path: '/api/conversations/:id', handle: signedIn(deleteConversation) },
  { method: 'DELETE', path: '/api/openings/:id', handle: signedIn(deleteOpening) },
  { method: 'POST', path: '/api/conversations/:id/messages', handle: signedIn(postMessage) },
  { method: 'POST', path: '/api/conversations/:id/stop', handle: signedIn(stopMessage) },
];
