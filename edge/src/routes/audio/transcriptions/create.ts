import { toGatewayError } from '@parley/protos/errors';
import { type ServerResponse } from 'node:http';
import { type z } from 'zod';
import { receiveFile } from '../../../middleware/receive-file.ts';
import { getRequestContext } from '../../../middleware/request-context.ts';
import { type transcription } from '../../../wire/transcription.ts';
import { type RouteDeps } from '../../deps.ts';
import { RESPONSE_SENT, type Input, type Reply } from '../../route.ts';
import { MAX_AUDIO_BYTES } from '../../uploads.ts';
import { TranscribeRequestStream } from './transcribe-request-stream.ts';
import { TRANSCRIPTION_FIELD_NAMES } from './transcription-fields.ts';
import { toTranscriptionReply } from './transcription-reply.ts';

/** Longest time of the engine after the audio has arrived, in milliseconds; the audio service has a lower limit. */
const ENGINE_MS = 300_000;

/** Transcribes an audio file. The audio is streamed to the audio service; neither audio nor text is stored. */
export async function createTranscription(
  { principal, req, reservation }: Input,
  { clients, config }: RouteDeps,
  res: ServerResponse,
): Promise<Reply<z.input<typeof transcription>> | typeof RESPONSE_SENT> {
  const limits = { fileBytes: MAX_AUDIO_BYTES, idleMs: config.bodyIdleMs, fields: TRANSCRIPTION_FIELD_NAMES };
  // The HTTP server limits how long the form may take to arrive.
  const deadlineMs = config.requestTimeoutMs + ENGINE_MS;
  const { made, fields } = await receiveFile(req, limits, async (file, signal) => {
    const authorise = async (conversationId: string) =>
      void (await clients.conversation.getConversation({ conversationId }, { caller: principal, signal }));
    const audio = await TranscribeRequestStream.open(file, authorise);
    const context = getRequestContext(req);
    context.isCounted = true;
    try {
      const answer = await clients.audio.transcribe(audio.requests(), { caller: principal, signal, deadlineMs });
      reservation.settle({ audio_ms: Math.round(answer.durationSeconds * 1_000) });
      return { made: answer, fields: audio.fields };
    } catch (error) {
      // The service does not count requests that its own limit rejects.
      context.isCounted = toGatewayError(error).condition !== 'TRANSCRIPTION_RATE_LIMIT';
      throw audio.failure ?? error;
    }
  });
  const reply = toTranscriptionReply(made, fields);
  if ('body' in reply) return reply;
  sendText(res, reply);
  return RESPONSE_SENT;
}

function sendText(res: ServerResponse, { type, text }: { type: string; text: string }): void {
  res.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'x-request-id': getRequestContext(res.req).id,
  });
  res.end(text);
}
