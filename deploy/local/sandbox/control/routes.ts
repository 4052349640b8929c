import { z } from 'zod';
import { readJson } from '../http/read-json.ts';
import { sendNoContent } from '../http/respond.ts';
import { type HttpExchange, type Route } from '../http/router.ts';
import { addFault, clearFaults, expireSessions, getAccount, putAccount } from './accounts.ts';
import { getAuthenticator, getMailbox } from './codes.ts';
import { appendMessage, createStatusHandler, editMessage } from './conversations.ts';

const ms = z.number().nonnegative().optional();
const pacingSchema = z.object({ delay_ms: ms, source_ms: ms, artifact_ms: ms });

async function setPacing({ sandbox, req, res }: HttpExchange): Promise<void> {
  const { pacing } = sandbox;
  const body = await readJson(req, pacingSchema);
  pacing.delayMs = body.delay_ms ?? pacing.delayMs;
  pacing.fileProcessingMs = body.source_ms ?? pacing.fileProcessingMs;
  pacing.artifactDelayMs = body.artifact_ms ?? pacing.artifactDelayMs;
  sendNoContent(res);
}

/** Routes of the control endpoint, which has a separate listener, on loopback only. */
export const controlRoutes: readonly Route[] = [
  { method: 'POST', path: '/control/accounts', handle: putAccount },
  { method: 'GET', path: '/control/accounts/:id', handle: getAccount },
  { method: 'POST', path: '/control/accounts/:id/faults', handle: addFault },
  { method: 'DELETE', path: '/control/accounts/:id/faults', handle: clearFaults },
  { method: 'POST', path: '/control/accounts/:id/expire-sessions', handle: expireSessions },
  { method: 'GET', path: '/control/accounts/:id/mailbox', handle: getMailbox },
  { method: 'GET', path: '/control/accounts/:id/authenticator', handle: getAuthenticator },
  { method: 'POST', path: '/control/conversations/:id/delete', handle: createStatusHandler('deleted') },
  { method: 'POST', path: '/control/conversations/:id/break-chain', handle: createStatusHandler('chain_broken') },
  { method: 'POST', path: '/control/conversations/:id/lose-access', handle: createStatusHandler('access_lost') },
  { method: 'POST', path: '/control/conversations/:id/restore', handle: createStatusHandler('active') },
  { method: 'POST', path: '/control/conversations/:id/append', handle: appendMessage },
  { method: 'PUT', path: '/control/conversations/:id/messages/:message', handle: editMessage },
  { method: 'PUT', path: '/control/pacing', handle: setPacing },
];
