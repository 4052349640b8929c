import { waitFor } from '@parley/kit/testing/wait-for';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Answer, call, open } from './http.ts';
import { Operator } from './operator.ts';
import { type Gateway } from './parley.ts';
import { type Account, connectAccount, makeTenant, type Tenant } from './tenant.ts';
import { type Uploader } from './upload.ts';

/** Path of speech jobs. */
export const JOBS = '/v1/audio/generations';

const job = z.looseObject({
  id: z.uuid(),
  status: z.string(),
  provider: z.string(),
  voice: z.string(),
  progress: z.int(),
  output_mime_type: z.string().nullable(),
  output_size_bytes: z.int().nullable(),
  duration_ms: z.int().nullable(),
  content_url: z.string(),
  retry_of: z.string().nullable(),
  error: z.looseObject({ code: z.string() }).nullable(),
});

/** A speech job as the API shows it. */
export type ShownJob = z.infer<typeof job>;

/** A tenant with a key for everything, audio among it. */
export async function makeSpeaker(gateway: () => Gateway): Promise<{ tenant: Tenant; me: Uploader }> {
  const tenant = await makeTenant(gateway);
  const scopes = ['chat', 'conversations', 'audio'];
  const { key } = await new Operator(gateway).createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, scopes });
  return { tenant, me: { gateway: gateway(), key } };
}

/** A speaker whose workspace is connected to a speech and a transcription server: accounts of the sandbox upstream. */
export async function makeConnectedSpeaker(gateway: () => Gateway): Promise<{ me: Uploader; speech: Account; transcription: Account }> {
  const { tenant, me } = await makeSpeaker(gateway);
  const speech = await connectAccount(gateway, tenant.workspaceId, 'openai-speech');
  const transcription = await connectAccount(gateway, tenant.workspaceId, 'openai-transcription');
  return { me, speech, transcription };
}

/** Asks for a job, whatever it answers. */
export function requestJob({ gateway, key }: Uploader, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return call(gateway, 'POST', JOBS, { key, body, headers });
}

/** Queues a text to be spoken. Throws when it is refused. */
export async function createJob(by: Uploader, input: string, fields: Record<string, unknown> = {}): Promise<ShownJob> {
  const answer = await requestJob(by, { input, voice: 'slt', ...fields });
  if (answer.status !== 202) throw new Error(`the job was refused with ${answer.status}: ${answer.text}`);
  return job.parse(answer.json);
}

/** A job as it stands. */
export async function getJob({ gateway, key }: Uploader, id: string): Promise<ShownJob> {
  return job.parse((await call(gateway, 'GET', `${JOBS}/${id}`, { key })).json);
}

/** The newest jobs of the workspace. */
export async function listJobs({ gateway, key }: Uploader, query = 'limit=200'): Promise<ShownJob[]> {
  return z.array(job).parse((await call(gateway, 'GET', `${JOBS}?${query}`, { key })).json);
}

/** Does something to a job, whatever it answers. */
export function act({ gateway, key }: Uploader, id: string, what: 'cancel' | 'retry'): Promise<Answer> {
  return call(gateway, 'POST', `${JOBS}/${id}/${what}`, { key });
}

/** How long a job may take, a crash and its lease in between. */
const SPOKEN_MS = 90_000;

/** Waits until a job has ended. */
export function ended(of: Uploader, id: string): Promise<ShownJob> {
  return waitFor(
    async () => {
      const shown = await getJob(of, id);
      return ['completed', 'failed', 'cancelled'].includes(shown.status) ? shown : undefined;
    },
    { timeoutMs: SPOKEN_MS, everyMs: 100 },
  );
}

/** The audio of a job, or a part of it. */
export async function content({ gateway, key }: Uploader, id: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await open(gateway, method, `${JOBS}/${id}/content`, { key, headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The names of the files of audio that a gateway keeps, half written ones too. */
export async function storedSpeech({ dataDir }: Pick<Gateway, 'dataDir'>): Promise<string[]> {
  // Nothing has been spoken before there is a folder.
  const entries = await readdir(join(dataDir, 'blobs', 'speech'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** What the sample rate and the length of a WAV file say of it. Throws for what is none. */
export function readWav(bytes: Buffer): { sampleRate: number; seconds: number } {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') throw new Error('no WAV file');
  const byteRate = bytes.readUInt32LE(28);
  return { sampleRate: bytes.readUInt32LE(24), seconds: (bytes.length - 44) / byteRate };
}

const manifest = z.looseObject({
  capabilities: z.looseObject({ audio: z.looseObject({ transcription: z.looseObject({ enabled: z.boolean() }) }) }),
});

/** Whether the gateway has an engine that transcribes. */
export async function transcribes({ gateway, key }: Uploader): Promise<boolean> {
  return manifest.parse((await call(gateway, 'GET', '/v1/capabilities', { key })).json).capabilities.audio.transcription.enabled;
}
