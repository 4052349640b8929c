import { type Condition } from '@parley/protos/errors';
import { OF_UPSTREAM } from '../upstream-refusals.ts';

/** What every operation on one speech job may be refused with. */
export const OF_JOB = ['AUDIO_JOB_NOT_FOUND'] as const satisfies readonly Condition[];

/** What every operation on one speech provider may be refused with. */
export const OF_PROVIDER = ['AUDIO_PROVIDER_NOT_FOUND'] as const satisfies readonly Condition[];

/** What asking the provider for its voices may be refused with, where they are those of an account. */
export const OF_VOICES = [
  ...OF_PROVIDER,
  'ACCOUNT_NOT_CONNECTED',
  'ACCOUNT_REAUTH_REQUIRED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'NO_HEALTHY_SESSION',
  ...OF_UPSTREAM,
] as const satisfies readonly Condition[];

/** What a text to be spoken may be refused with. */
export const OF_NEW_JOB = [...OF_VOICES, 'VOICE_NOT_FOUND', 'AUDIO_QUOTA_EXCEEDED'] as const satisfies readonly Condition[];

/** The same where it is spoken at once. */
export const OF_SPEECH = [...OF_NEW_JOB, 'UNSUPPORTED_PARAMETER'] as const satisfies readonly Condition[];

/** What the audio of a job may be refused with. */
export const OF_CONTENT = [...OF_JOB, 'AUDIO_NOT_READY', 'AUDIO_EXPIRED', 'RANGE_NOT_SATISFIABLE'] as const satisfies readonly Condition[];

/** What stopping a job may be refused with. */
export const OF_CANCEL = [...OF_JOB, 'AUDIO_JOB_NOT_CANCELLABLE'] as const satisfies readonly Condition[];

/** What repeating a failed job may be refused with. */
export const OF_RETRY = [...OF_JOB, 'AUDIO_QUOTA_EXCEEDED'] as const satisfies readonly Condition[];

/** What a transcription may be refused with, besides what is wrong with the form. */
export const OF_TRANSCRIPTION = [
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
