import { type ErrorCondition } from '@parley/protos/errors';
import { UPSTREAM_ERRORS } from '../upstream-errors.ts';

/** Error codes of every operation on one speech job. */
export const SPEECH_JOB_ERRORS = ['AUDIO_JOB_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of every operation on one speech provider. */
export const SPEECH_PROVIDER_ERRORS = ['AUDIO_PROVIDER_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of listing the voices of a provider, which may belong to a connection. */
export const VOICES_ERRORS = [
  ...SPEECH_PROVIDER_ERRORS,
  'ACCOUNT_NOT_CONNECTED',
  'ACCOUNT_REAUTH_REQUIRED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'NO_HEALTHY_SESSION',
  ...UPSTREAM_ERRORS,
] as const satisfies readonly ErrorCondition[];

/** Error codes of creating a speech job. */
export const NEW_SPEECH_JOB_ERRORS = [
  ...VOICES_ERRORS,
  'VOICE_NOT_FOUND',
  'AUDIO_QUOTA_EXCEEDED',
] as const satisfies readonly ErrorCondition[];

/** Error codes of synchronous speech. */
export const SPEECH_ERRORS = [...NEW_SPEECH_JOB_ERRORS, 'UNSUPPORTED_PARAMETER'] as const satisfies readonly ErrorCondition[];

/** Error codes of downloading the audio of a job. */
export const SPEECH_CONTENT_ERRORS = [
  ...SPEECH_JOB_ERRORS,
  'AUDIO_NOT_READY',
  'AUDIO_EXPIRED',
  'RANGE_NOT_SATISFIABLE',
] as const satisfies readonly ErrorCondition[];

/** Error codes of cancelling a job. */
export const SPEECH_CANCEL_ERRORS = [...SPEECH_JOB_ERRORS, 'AUDIO_JOB_NOT_CANCELLABLE'] as const satisfies readonly ErrorCondition[];

/** Error codes of retrying a failed job. */
export const SPEECH_RETRY_ERRORS = [...SPEECH_JOB_ERRORS, 'AUDIO_QUOTA_EXCEEDED'] as const satisfies readonly ErrorCondition[];

/** Error codes of a transcription, in addition to those of form validation. */
export const TRANSCRIPTION_ERRORS = [
  'RATE_LIMIT_EXCEEDED',
  'AUDIO_QUOTA_EXCEEDED',
  'AUDIO_VALIDATION_FAILED',
  'UNSUPPORTED_PARAMETER',
  'CONVERSATION_NOT_FOUND',
  'CONVERSATION_ACCESS_DENIED',
  'PROVIDER_RATE_LIMITED',
  'TRANSCRIPTION_FAILED',
  'TRANSCRIPTION_DISABLED',
  'TRANSCRIPTION_PROVIDER_UNAVAILABLE',
  'TRANSCRIPTION_TIMEOUT',
] as const satisfies readonly ErrorCondition[];
