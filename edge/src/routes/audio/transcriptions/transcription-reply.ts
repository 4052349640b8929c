import { type Transcription } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { toSrt, toVtt } from '../../../wire/subtitles.ts';
import { toTranscription, toVerboseTranscription, type transcription } from '../../../wire/transcription.ts';
import { type Reply } from '../../route.ts';
import { type TranscriptionFields } from './transcription-fields.ts';

/** A response body that is not JSON. */
interface TextReply {
  /** Its media type. */
  type: string;
  text: string;
}

/** Converts a transcription to the requested format. @throws UNSUPPORTED_PARAMETER for subtitles when the engine provides no times */
export function toTranscriptionReply(made: Transcription, fields: TranscriptionFields): Reply<z.input<typeof transcription>> | TextReply {
  switch (fields.response_format) {
    case 'json':
      return { body: toTranscription(made) };
    case 'verbose_json': {
      const kinds = (fields['timestamp_granularities[]'] ?? 'segment').split(',');
      return { body: toVerboseTranscription(made, { segments: kinds.includes('segment'), words: kinds.includes('word') }) };
    }
    case 'text':
      return { type: 'text/plain', text: made.text };
    case 'srt':
      return { type: 'application/x-subrip', text: toSrt(requireTimes(made)) };
    case 'vtt':
      return { type: 'text/vtt', text: toVtt(requireTimes(made)) };
  }
}

function requireTimes({ text, times }: Transcription) {
  const segments = times?.segments ?? [];
  if (segments.length > 0 || text === '') return segments;
  const message = 'the times of this recording are not known: its codec cannot be read here, and the transcription server provides none';
  throw new GatewayError('UNSUPPORTED_PARAMETER', message, { param: 'response_format' });
}
