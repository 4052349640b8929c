import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

/** Speech and transcription (spec §4.6). */
export const AUDIO = {
  AUDIO_VALIDATION_FAILED: {
    meaning: 'The file is no recording that can be transcribed.',
    cause: 'Its content is no audio, is broken, is of a kind that is not known here, or is too long. The name of the file does not count.',
    remedy: 'Send WAV, MP3, FLAC, Ogg or WebM of up to two hours.',
  },
  AUDIO_NOT_READY: {
    meaning: 'The job has no audio.',
    cause: 'It is still queued or being spoken, or it failed or was cancelled; its `status` tells which.',
    remedy: 'Ask `GET /v1/audio/generations/{id}` until its `status` is `completed`.',
    retry: 'Yes, every second or so while the status is neither `failed` nor `cancelled`.',
  },
  AUDIO_EXPIRED: {
    meaning: 'The audio of this job has been deleted.',
    cause: 'Audio is kept for 24 hours after the job was created.',
    remedy: 'Create the job again, and store its audio once it is there.',
  },
  AUDIO_JOB_NOT_CANCELLABLE: {
    meaning: 'The job has ended already.',
    cause: 'Only a job that is queued or being spoken can be stopped.',
    remedy: 'Nothing: look at its `status`.',
  },
  AUDIO_QUOTA_EXCEEDED: {
    meaning: 'The key or its workspace has used up the audio it may have.',
    cause:
      'There is a number of characters that a workspace may have spoken in a day (UTC), and there may be quotas of seconds of audio, for the key or all of its workspace. ' +
      'Jobs that fail or are cancelled before they begin give theirs back.',
    remedy: 'Wait for the next day or window, or ask for more.',
    retry: 'After `Retry-After`, which is the time until the day or the window ends.',
  },
  TRANSCRIPTION_RATE_LIMIT: {
    meaning: 'There are too many transcriptions at this moment.',
    cause: 'The address has sent too many, or the gateway has as many recordings in hand as it takes, from this workspace or from all.',
    remedy: 'Send recordings one after the other.',
    retry: 'Yes, after `Retry-After`.',
  },
  TRANSCRIPTION_FAILED: {
    meaning: 'The engine has failed on this recording.',
    cause: 'The engine broke down, or the transcription server has answered with an error or with nothing that makes sense.',
    remedy: 'Try again; when it fails every time, convert the recording to WAV with one channel.',
    retry: 'Yes, once or twice. The recording was deleted and must be sent again.',
  },
  TRANSCRIPTION_DISABLED: {
    meaning: 'Nothing transcribes for this workspace.',
    cause: 'The gateway has no engine of its own, and no transcription server is connected.',
    remedy:
      'Ask whoever runs the gateway to connect one (`npx parley connections add openai-transcription`). `GET /v1/capabilities` tells beforehand.',
  },
  TRANSCRIPTION_PROVIDER_UNAVAILABLE: {
    meaning: 'The transcription server cannot be used now.',
    cause: 'It cannot be reached, no longer accepts its key, or takes a rest after failures.',
    remedy: '`GET /v1/connections` shows how it is.',
    retry: 'Yes, with growing pauses. The recording must be sent again.',
  },
  TRANSCRIPTION_TIMEOUT: {
    meaning: 'The transcription took too long.',
    cause: 'It was not done within five minutes of the recording’s arrival.',
    remedy: 'Split the recording.',
    retry: 'Yes, when the gateway is less busy; a long recording may take too long every time.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
