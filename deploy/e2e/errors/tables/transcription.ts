import { call, open } from '../../harness/http.ts';
import { formRequest, type LocalFile } from '../../harness/upload.ts';
import { inATenant, type ErrorContext } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

/** Recordings that the audio service of these rows takes in hand at once. */
export const IN_HAND = 4;
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const DIARY: LocalFile = { name: 'diary.wav', bytes: Buffer.from('Dear diary, this is no recording. '.repeat(50)), type: 'audio/wav' };

/** Connects the workspace to a server that transcribes: the sandbox, as another account of it. */
async function connectEars({ gateway, operator, tenant, account }: ErrorContext): Promise<void> {
  const ears = { provider: 'openai-transcription', label: 'ears', base_url: `${gateway.run.sandbox_url}/v1`, api_key: account().apiKey };
  await operator.connect({ ...ears, workspace_id: tenant.workspaceId });
}

/** A sound that the sandbox has not spoken itself. */
async function recording({ gateway, key }: ErrorContext): Promise<LocalFile> {
  const body = { input: 'hello', voice: 'slt', response_format: 'wav' };
  const response = await open(gateway, 'POST', '/v1/audio/speech', { key, body });
  return { name: 'hello.wav', bytes: Buffer.from(await response.arrayBuffer()), type: 'audio/wav' };
}

const transcribing = (fault?: string, file?: LocalFile): Provoke =>
  inATenant(async (context) => {
    await connectEars(context);
    if (fault) await context.fault(fault, { on: 'transcription' });
    return context.upload(TRANSCRIPTIONS, file ?? (await recording(context)));
  });

/** More at once than a workspace may have in hand; gives the first that is turned away. */
const crowded: Provoke = inATenant(async (context) => {
  await connectEars(context);
  await context.fault('silent', { on: 'transcription', count: -1 });
  const leaving = new AbortController();
  const request = { key: context.key, ...formRequest(await recording(context)), signal: leaving.signal };
  const refused = Array.from({ length: IN_HAND + 1 }, async () => {
    const answer = await call(context.gateway, 'POST', TRANSCRIPTIONS, request);
    if (answer.status !== 429) throw new Error(`one was let in: ${answer.text}`);
    return answer;
  });
  return Promise.any(refused).finally(() => leaving.abort());
});

/** Recordings to be transcribed. The gateway of these rows has no engine of its own. */
export const TRANSCRIPTION: readonly Row[] = [
  ['AUDIO_VALIDATION_FAILED', 'a recording that is none', transcribing(undefined, DIARY), { param: 'file' }],
  [
    'TRANSCRIPTION_DISABLED',
    'nothing transcribes for the workspace',
    inATenant(async (context) => context.upload(TRANSCRIPTIONS, await recording(context))),
  ],
  ['TRANSCRIPTION_RATE_LIMIT', 'more recordings at once than the gateway takes in hand', crowded, { waits: true }],
  ['TRANSCRIPTION_FAILED', 'the server fails', transcribing('server_error')],
  ['TRANSCRIPTION_PROVIDER_UNAVAILABLE', 'the server cannot be used', transcribing()],
  ['TRANSCRIPTION_TIMEOUT', 'the server says nothing', transcribing('silent')],
];
