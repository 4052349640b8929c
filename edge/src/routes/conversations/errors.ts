import { type ErrorCondition } from '@parley/protos/errors';
import { UPLOAD_ERRORS } from '../uploads.ts';
import { UPSTREAM_ERRORS } from '../upstream-errors.ts';

/** Error codes of every operation on one conversation. */
export const CONVERSATION_ERRORS = ['CONVERSATION_NOT_FOUND', 'CONVERSATION_ACCESS_DENIED'] as const satisfies readonly ErrorCondition[];

/** Error codes of operations on a participant. */
export const PARTICIPANT_ERRORS = [...CONVERSATION_ERRORS, 'PARTICIPANT_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of one message, with those of its conversation. */
export const MESSAGE_ERRORS = ['MESSAGE_NOT_FOUND', ...CONVERSATION_ERRORS] as const satisfies readonly ErrorCondition[];

/** Error codes of choosing a connection for a new conversation. */
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
] as const satisfies readonly ErrorCondition[];

/** Error codes of a sync; errors that the upstream reports about the conversation become its continuity status. */
export const SYNC_ERRORS = [
  ...CONVERSATION_ERRORS,
  'CONVERSATION_BUSY',
  'CONVERSATION_UPSTREAM_UNAVAILABLE',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED',
  ...UPSTREAM_ERRORS,
] as const satisfies readonly ErrorCondition[];

/** Error codes of attaching a file, with those of a turn in the conversation. */
export const ATTACHMENT_ERRORS = [
  ...CONVERSATION_ERRORS,
  ...UPLOAD_ERRORS,
  'CONVERSATION_UPSTREAM_UNAVAILABLE',
  'CONVERSATION_SESSION_EXPIRED',
  'CONVERSATION_DELETED_UPSTREAM',
  'CONVERSATION_ACCESS_LOST',
  'CONVERSATION_CONTINUITY_LOST',
  'CONVERSATION_PROJECT_UNAVAILABLE',
] as const satisfies readonly ErrorCondition[];
