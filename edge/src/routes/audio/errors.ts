import { type Condition } from '@parley/protos/errors';
import { UPSTREAM_ERRORS } from '../upstream-errors.ts';

/** What every operation on one speech job may be refused with. */
export const SPEECH_JOB_ERRORS = ['AUDIO_JOB_NOT_FOUND'] as const satisfies readonly Condition[];

/** What every operation on one speech provider may be refused with. */
export const SPEECH_PROVIDER_ERRORS = ['AUDIO_PROVIDER_NOT_FOUND'] as const satisfies readonly Condition[];

/** What asking the provider for its voices may be refused with, where they are those of an account. */
export const VOICES_ERRORS = [
  ...SPEECH_PROVIDER_ERRORS,
  'ACCOUNT_NOT_CONNECTED',
  'ACCOUNT_REAUTH_REQUIRED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'NO_HEALTHY_SESSION',
  ...UPSTREAM_ERRORS,
] as const satisfies readonly Condition[];

/** What a text to be spoken may be refused with. */
export const NEW_SPEECH_JOB_ERRORS = [...VOICES_ERRORS, 'VOICE_NOT_FOUND', 'AUDIO_QUOTA_EXCEEDED'] as const satisfies readonly Condition[];

/** The same where it is spoken at once. */
export const SPEECH_ERRORS = [...NEW_SPEECH_JOB_ERRORS, 'UNSUPPORTED_PARAMETER'] as const satisfies readonly Condition[];

/** What the audio of a job may be refused with. */
export const SPEECH_CONTENT_ERRORS = [
  ...SPEECH_JOB_ERRORS,
  'AUDIO_NOT_READY',
  'AUDIO_EXPIRED',
  'RANGE_NOT_SATISFIABLE',
] as const satisfies readonly Condition[];

/** What stopping a job may be refused with. */
export const SPEECH_CANCEL_ERRORS = [...SPEECH_JOB_ERRORS, 'AUDIO_JOB_NOT_CANCELLABLE'] as const satisfies readonly Condition[];

/** What repeating a failed job may be refused with. */
export const SPEECH_RETRY_ERRORS = [...SPEECH_JOB_ERRORS, 'AUDIO_QUOTA_EXCEEDED'] as const satisfies readonly Condition[];

/** What a transcription may be refused with, besides what is wrong with the form. */
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
] as const satisfies readonly Condition[];
