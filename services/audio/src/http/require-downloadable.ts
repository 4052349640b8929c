import { type DownloadableFile } from '@parley/kit/downloads/serve-download';
import { GatewayError } from '@parley/protos/errors';
import { type StoredJob } from '../domain/job.ts';
import { type Database } from '../store/database.ts';
import { findJob } from '../store/read-jobs.ts';

/** Returns the audio of a speech job for a download. @throws AUDIO_NOT_READY, AUDIO_EXPIRED */
export function requireFinishedAudio(job: StoredJob): DownloadableFile {
  const { status, blobKey: key, sha256, outputMimeType: mimeType, outputSizeBytes: sizeBytes } = job;
  if (status !== 'completed') throw new GatewayError('AUDIO_NOT_READY', `the speech job is ${status}`);
  if (key === null || sha256 === null || job.expiresAt.getTime() <= Date.now()) {
    throw new GatewayError('AUDIO_EXPIRED', 'the audio has been deleted: its time is over');
  }
  return { key, sha256, mimeType, sizeBytes, fileName: `speech-${job.id}.${EXTENSIONS[mimeType] ?? 'pcm'}` };
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
};

/** Finds the audio of the job with this id. @throws AUDIO_JOB_NOT_FOUND, AUDIO_NOT_READY, AUDIO_EXPIRED */
export async function requireDownloadable(database: Database, id: string): Promise<DownloadableFile> {
  const job = await findJob(database, id);
  if (!job) throw new GatewayError('AUDIO_JOB_NOT_FOUND', 'the speech job does not exist');
  return requireFinishedAudio(job);
}
