import { type Stub } from '@parley/kit/rpc/client';
import { type Asset, type AssetServiceService, type KeepGeneratedRequest } from '@parley/protos/asset/v1/asset';
import { type AudioFile, type AudioServiceService } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { namedId } from '../domain/named-id.ts';
import { type OpenFile, openFile } from '@parley/kit/rpc/open-file';
import { type StepRequest } from './step-executor.ts';

/** Of the audio service, what gives the audio of jobs. */
export type SpeechContent = Pick<Stub<typeof AudioServiceService>, 'readContent'>;

/** Of the asset service, what keeps what steps make. */
export type GeneratedAssets = Pick<Stub<typeof AssetServiceService>, 'keepGenerated'>;

/** Where what steps make is kept. */
export interface KeepSpeechDeps {
  assets: GeneratedAssets;
  /** How long, where nothing is said of generated assets: as long as what is known of the run, in milliseconds. */
  retentionMs: number;
}

/** The step's own timeout comes first. */
const DEADLINE_MS = 600_000;
const MAX_KEEP_SECONDS = 0xffff_ffff;

/**
 * Makes the audio of a completed job an asset of the caller's workspace; of one job it is always the same asset.
 * @throws AUDIO_NOT_READY, AUDIO_EXPIRED, and what the asset service refuses with
 */
export async function keepSpeech(
  audio: SpeechContent,
  { assets, retentionMs }: KeepSpeechDeps,
  jobId: string,
  { caller, traceparent }: Pick<StepRequest, 'caller' | 'traceparent'>,
  signal: AbortSignal,
): Promise<Asset> {
  const init = { caller, traceparent, signal, deadlineMs: DEADLINE_MS };
  const speech = await openFile(audio.readContent({ id: jobId }, init));
  if (!speech) throw new GatewayError('AUDIO_NOT_READY', 'the audio of a job came without its head');
  const keepSeconds = Math.min(Math.max(1, Math.ceil(retentionMs / 1_000)), MAX_KEEP_SECONDS);
  const frames = toFrames(speech, namedId(`audio of speech job ${jobId}`), keepSeconds);
  return assets.keepGenerated(frames, init).finally(() => speech.stop());
}

async function* toFrames(
  { head: { fileName, mimeType, sha256 }, chunks }: OpenFile<AudioFile>,
  assetId: string,
  keepSeconds: number,
): AsyncGenerator<KeepGeneratedRequest> {
  const file = { fileName, declaredType: mimeType };
  yield { frame: { $case: 'head', value: { assetId, assetType: 'audio', file, sha256, keepSeconds } } };
  for await (const value of chunks) yield { frame: { $case: 'chunk', value } };
}
