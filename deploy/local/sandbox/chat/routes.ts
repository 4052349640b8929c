import { type Route } from '../http/router.ts';
import { getBranch } from './branch.ts';
import { createConversation, deleteConversation, deleteOpening, getConversation } from './conversations.ts';
import { getMe } from './get-me.ts';
import { postMessage, stopMessage } from './messages.ts';
import { listModels } from './models.ts';
import { withSession } from './with-session.ts';

/** Routes of the web chat; all of them need a session. */
export const chatRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/me', handle: withSession(getMe) },
  { method: 'GET', path: '/api/models', handle: withSession(listModels) },
  { method: 'POST', path: '/api/conversations', handle: withSession(createConversation) },
  { method: 'GET', path: '/api/conversations/:id', handle: withSession(getConversation) },
  { method: 'GET', path: '/api/conversations/:id/branch', handle: withSession(getBranch) },
  { method: 'DELETE', path: '/api/conversations/:id', handle: withSession(deleteConversation) },
  { method: 'DELETE', path: '/api/openings/:id', handle: withSession(deleteOpening) },
  { method: 'POST', path: '/api/conversations/:id/messages', handle: withSession(postMessage) },
  { method: 'POST', path: '/api/conversations/:id/stop', handle: withSession(stopMessage) },
];
