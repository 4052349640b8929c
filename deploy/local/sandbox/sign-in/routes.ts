import { type Route } from '../http/router.ts';
import { answerChallenge, deleteChallenge, getChallenge, resendCode } from './answer-challenge.ts';
import { createSession, deleteSession } from './sessions.ts';
import { showDevices } from './show-devices.ts';

/** Routes of signing in and out. */
export const signInRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/session', handle: createSession },
  { method: 'DELETE', path: '/api/session', handle: deleteSession },
  { method: 'GET', path: '/api/session/challenges/:id', handle: getChallenge },
  { method: 'POST', path: '/api/session/challenges/:id', handle: answerChallenge },
  { method: 'POST', path: '/api/session/challenges/:id/resend', handle: resendCode },
  { method: 'DELETE', path: '/api/session/challenges/:id', handle: deleteChallenge },
  { method: 'GET', path: '/devices', handle: showDevices },
];
