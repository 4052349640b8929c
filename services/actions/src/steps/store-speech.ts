import { type Stub } from '@parley/kit/rpc/client';
import { type OpenFileStream, openFileStream } from '@parley/kit/rpc/open-file-stream';
import { type Asset, type AssetServiceService, type KeepGeneratedRequest } from '@parley/protos/asset/v1/asset';
import { type AudioFile, type AudioServiceService } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { toNameBasedUuid } from '../domain/name-based-uuid.ts';
import { type StepRequest } from './step-executor.ts';

/** The audio service's RPC that returns the audio of jobs. */
export type SpeechContentClient = Pick<Stub<typeof AudioServiceService>, 'readContent'>;

/** The asset service's RPC that stores generated files. */
export type GeneratedAssetsClient = Pick<Stub<typeof AssetServiceService>, 'keepGenerated'>;

/** Where and how long generated audio is stored. */
export interface StoreSpeechDeps {
  assets: GeneratedAssetsClient;
  /** Lifetime of the asset if the asset service configures none for generated assets, in milliseconds; that of the run. */
  retentionMs: number;
}

/** Longer than any step's own timeout, in milliseconds. */
const DEADLINE_MS = 600_000;
const MAX_KEEP_SECONDS = 0xffff_ffff;

/**
 * Stores the audio of a completed job as an asset of the caller's workspace; a job always has the same asset.
 * @throws AUDIO_NOT_READY, AUDIO_EXPIRED, and the errors of the asset service
 */
export async function storeSpeech(
  audio: SpeechContentClient,
  { assets, retentionMs }: StoreSpeechDeps,
  jobId: string,
  { caller, traceparent }: Pick<StepRequest, 'caller' | 'traceparent'>,
  signal: AbortSignal,
): Promise<Asset> {
  const init = { caller, traceparent, signal, deadlineMs: DEADLINE_MS };
  const speech = await openFileStream(audio.readContent({ id: jobId }, init));
  if (!speech) throw new GatewayError('AUDIO_NOT_READY', 'the audio of a job came without its head');
  const keepSeconds = Math.min(Math.max(1, Math.ceil(retentionMs / 1_000)), MAX_KEEP_SECONDS);
  const frames = toFrames(speech, toNameBasedUuid(`audio of speech job ${jobId}`), keepSeconds);
  return assets.keepGenerated(frames, init).finally(() => speech.stop());
}

async function* toFrames(
  { head: { fileName, mimeType, sha256 }, chunks }: OpenFileStream<AudioFile>,
  assetId: string,
  keepSeconds: number,
): AsyncGenerator<KeepGeneratedRequest> {
  const file = { fileName, declaredType: mimeType };
  yield { frame: { $case: 'head', value: { assetId, assetType: 'audio', file, sha256, keepSeconds } } };
  for await (const value of chunks) yield { frame: { $case: 'chunk', value } };
}
