import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of speech and transcription. */
export const AUDIO_GUIDE = {
  AUDIO_VALIDATION_FAILED: {
    meaning: 'The file is not a recording that can be transcribed.',
    cause: 'Its content is not audio, is corrupt, has an unknown format, or is too long. The gateway ignores the file name.',
    remedy: 'Send WAV, MP3, FLAC, Ogg or WebM of up to two hours.',
  },
  AUDIO_NOT_READY: {
    meaning: 'The speech job has no audio.',
    cause: 'The job is queued or running, or it failed or was cancelled; its `status` says which.',
    remedy: 'Poll `GET /v1/audio/generations/{id}` until its `status` is `completed`.',
    retry: 'Yes, every second or so while the status is neither `failed` nor `cancelled`.',
  },
  AUDIO_EXPIRED: {
    meaning: 'The audio of this speech job has been deleted.',
    cause: 'The gateway keeps audio for 24 hours after the job was created.',
    remedy: 'Create the job again, and store its audio once it is ready.',
  },
  AUDIO_JOB_NOT_CANCELLABLE: {
    meaning: 'The speech job has already ended.',
    cause: 'Only a job that is queued or running can be cancelled.',
    remedy: 'None is needed: read the `status` of the job.',
  },
  AUDIO_QUOTA_EXCEEDED: {
    meaning: 'The key or its workspace has used its audio quota.',
    cause:
      'A workspace has a limit of characters spoken in a day (UTC), and a key or a workspace may have quotas of seconds of audio. ' +
      'Jobs that fail or are cancelled before they start are not charged.',
    remedy: 'Wait for the next day or window, or ask the operator for a higher quota.',
    retry: 'After `Retry-After`, which is the time until the day or the window ends.',
  },
  TRANSCRIPTION_RATE_LIMIT: {
    meaning: 'There are too many transcriptions at this moment.',
    cause: 'The address has sent too many, or the gateway is at its limit of recordings in progress, for this workspace or in total.',
    remedy: 'Send recordings one after the other.',
    retry: 'Yes, after `Retry-After`.',
  },
  TRANSCRIPTION_FAILED: {
    meaning: 'The engine failed on this recording.',
    cause: 'The engine crashed, or the transcription server answered with an error or an unreadable body.',
    remedy: 'Retry; if it fails each time, convert the recording to WAV with one channel.',
    retry: 'Yes, once or twice. The recording was deleted and must be sent again.',
  },
  TRANSCRIPTION_DISABLED: {
    meaning: 'Transcription is not available to this workspace.',
    cause: 'The gateway has no engine of its own, and no transcription server is connected.',
    remedy:
      'Ask the operator to connect one (`npx parley connections add openai-transcription`). `GET /v1/capabilities` shows what is available.',
  },
  TRANSCRIPTION_PROVIDER_UNAVAILABLE: {
    meaning: 'The transcription server cannot be used now.',
    cause: 'The server is unreachable, rejects its key, or is in a cooldown after failures.',
    remedy: '`GET /v1/connections` shows its state.',
    retry: 'Yes, with increasing delays. The recording must be sent again.',
  },
  TRANSCRIPTION_TIMEOUT: {
    meaning: 'The transcription took too long.',
    cause: 'It did not finish within five minutes of the arrival of the recording.',
    remedy: 'Split the recording.',
    retry: 'Yes, when the gateway is less busy; a long recording may time out each time.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
