import { queryOptions } from '@tanstack/react-query';
import { type components } from '../../../api/generated/me.ts';
import { fetchInWorkspace, getWorkspaceClient } from '../../../api/me.ts';
import { asProblem, readProblem } from '../../../api/problem.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

type Transcription = components['schemas']['Transcription'];

/** Forms of a transcript. */
export const TRANSCRIPT_FORMATS = ['json', 'verbose_json', 'srt', 'vtt', 'text'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Maximum size of a recording in bytes; the gateway rejects a larger one. */
export const MAX_RECORDING_BYTES = 25 * 1024 * 1024;

/** What is sent to be written down. */
export interface Recording {
  audio: Blob;
  /** A file name, with which its transcript is saved too. */
  name: string;
}

/** What was understood. */
export interface Transcript {
  format: TranscriptFormat;
  /** In the wanted form, to copy or to save. */
  text: string;
  /** What the gateway tells beside the text; it tells it in its own two forms only. */
  facts: Transcription | undefined;
  name: string;
}

/** The audio capabilities of a workspace. */
export function audioCapabilitiesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'capabilities', 'audio'],
    queryFn: async () => (await unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/capabilities'))).capabilities.audio,
  });
}

/** Has a recording written down. An empty language is to be detected. @throws Problem */
export async function transcribe(
  workspaceId: string,
  recording: Recording,
  { language, format, signal }: { language: string; format: TranscriptFormat; signal: AbortSignal },
): Promise<Transcript> {
  const body = new FormData();
  // Fields come before the file, which is read as it arrives.
  if (language) body.append('language', language);
  body.append('response_format', format);
  body.append('file', recording.audio, recording.name);
  const response = await fetchInWorkspace(workspaceId, '/me/v1/audio/transcriptions', { method: 'POST', body, signal }).catch(
    (cause: unknown) => {
      throw asProblem(cause);
    },
  );
  if (!response.ok) throw await readProblem(response);
  const { name } = recording;
  if (format !== 'json' && format !== 'verbose_json') return { format, text: await response.text(), facts: undefined, name };
  const facts = (await response.json()) as Transcription;
  return { format, text: format === 'json' ? facts.text : JSON.stringify(facts, undefined, 2), facts, name };
}
