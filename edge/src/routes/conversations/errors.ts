import { type Condition } from '@parley/protos/errors';
import { UPSTREAM_ERRORS } from '../upstream-errors.ts';
import { UPLOAD_ERRORS } from '../uploads.ts';

/** What every operation on one conversation may be refused with. */
export const CONVERSATION_ERRORS = ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ACCESS_DENIED'] as const satisfies readonly Condition[];

/** The same for operations on a participant. */
export const PARTICIPANT_ERRORS = [...CONVERSATION_ERRORS, 'PARTICIPANT_NOT_FOUND'] as const satisfies readonly Condition[];

/** A message is as closed, and as gone, as its conversation. */
export const MESSAGE_ERRORS = ['MESSAGE_NOT_FOUND', ...CONVERSATION_ERRORS] as const satisfies readonly Condition[];

/** What the choice of an account for a new conversation may end with. */
export const NEW_CONVERSATION_ERRORS = [
  'INVALID_REQUEST',
  'ACCOUNT_NOT_CONNECTED',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED_SELECTED',
  'NO_HEALTHY_SESSION',
  'PROVIDER_RATE_LIMITED',
  'CONNECTION_NOT_FOUND',
  'TENANT_ACCESS_DENIED',
  'PROJECT_NOT_FOUND',
  'UPSTREAM_PROJECT_OUT_OF_SCOPE',
  'UPSTREAM_PROJECT_NOT_CONFIGURED',
] as const satisfies readonly Condition[];

/** What asking the upstream about a conversation may end with; what it says of the conversation itself is a continuity status. */
export const SYNC_ERRORS = [
  ...CONVERSATION_ERRORS,
  'CONVERSATION_BUSY',
  'CONVERSATION_UPSTREAM_UNAVAILABLE',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED',
  ...UPSTREAM_ERRORS,
] as const satisfies readonly Condition[];

/** What attaching a file may be refused with; what a turn of the conversation would be, too. */
export const ATTACHMENT_ERRORS = [
  ...CONVERSATION_ERRORS,
  ...UPLOAD_ERRORS,
  'CONVERSATION_UPSTREAM_UNAVAILABLE',
  'CONVERSATION_SESSION_EXPIRED',
  'CONVERSATION_DELETED_UPSTREAM',
  'CONVERSATION_ACCESS_LOST',
  'CONVERSATION_CONTINUITY_LOST',
  'CONVERSATION_PROJECT_UNAVAILABLE',
] as const satisfies readonly Condition[];
