import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const QUEUED = {
  id: SAMPLE.job,
  status: 'queued',
  provider: 'flite',
  voice: 'slt',
  model: null,
  language: 'en',
  response_format: 'wav',
  input_characters: 29,
  progress: 0,
  output_mime_type: null,
  output_size_bytes: null,
  duration_ms: null,
  content_url: `/v1/audio/generations/${SAMPLE.job}/content`,
  retry_of: null,
  error: null,
  created_at: SAMPLE.time,
  updated_at: SAMPLE.time,
  expires_at: '2026-11-21T09:30:00.000Z',
};
const COMPLETED = {
  ...{ ...QUEUED, status: 'completed', progress: 100, output_mime_type: 'audio/wav', output_size_bytes: 71_424 },
  ...{ duration_ms: 2_230, updated_at: SAMPLE.later },
};
const PROVIDER = {
  ...{ name: 'flite', kind: 'embedded', available: true, is_default: true },
  ...{ languages: ['en'], response_formats: ['wav', 'mp3', 'opus', 'flac', 'pcm'], voices: 5 },
};

/** Descriptions and examples of the audio operations. */
export const AUDIO_DETAILS: DetailsByOperationId = {
  createTranscription: {
    description:
      'JSON, plain text (`text`), JSON with times (`verbose_json`), or subtitles (`srt`, `vtt`). Times are those of the engine: where it provides none, one segment spans the recording. The recording is deleted before the response is sent; the text is not stored.',
    request: { file: 'the bytes of speech.wav', language: 'en', response_format: 'json' },
    response: { text: 'it stands in a coruna spain', language: 'en', duration: 2.23, model: 'pocketsphinx', job_id: SAMPLE.job },
    text: 'it stands in a coruna spain',
  },
  createAudioJob: {
    description:
      'The job is durable when this answers. Poll it until it is `completed`, then fetch its content within 24 hours. `output_mime_type` is the real format: `aac` becomes WAV.',
    request: { input: 'It stands in A Coruña, Spain.', voice: 'slt', language: 'en', response_format: 'wav' },
    response: QUEUED,
  },
  listAudioJobs: { description: 'Of the workspace, the newest first.', response: [COMPLETED] },
  getAudioJob: { description: '`progress` counts up to 100.', response: COMPLETED },
  getAudioContent: { description: 'In parts where `Range` asks for one; `Content-Type` says what the audio really is.' },
  cancelAudioJob: { description: 'A job that has ended cannot be stopped.', response: { ...QUEUED, status: 'cancelled' } },
  retryAudioJob: {
    description: 'A new job with the same parameters; the failed one stays.',
    response: { ...QUEUED, id: SAMPLE.message, content_url: `/v1/audio/generations/${SAMPLE.message}/content`, retry_of: SAMPLE.job },
  },
  createSpeech: {
    description:
      'Takes the body of OpenAI’s clients; the audio is sent as it is made. OpenAI’s names of voices stand for the nearest ones. `opus` is Ogg Opus; `aac` has no encoder here and becomes WAV: `Content-Type` says what the audio really is.',
    request: { model: 'tts-1', input: 'It stands in A Coruña, Spain.', voice: 'alloy', response_format: 'mp3' },
  },
  listAudioProviders: { description: 'Those of the gateway and those of the workspace’s accounts.', response: [PROVIDER] },
  listVoices: {
    description: 'Filters narrow the list; an unknown dialect leaves nothing.',
    response: [{ id: 'slt', name: 'slt', provider: 'flite', language: 'en', dialect: 'en-US', gender: 'female', sample_rate: 16_000 }],
  },
  getAudioProviderCapabilities: {
    description: '`provider_options` is the JSON Schema of the field of that name in a job.',
    response: { ...PROVIDER, max_input_characters: 10_000, supports_speed: true, provider_options: { type: 'object', properties: {} } },
  },
};
