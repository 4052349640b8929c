import { type Stub } from '@parley/kit/rpc/client';
import { type Asset, type AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type StepRequest } from './step-executor.ts';

/** Of the asset service, what gives a run its files. */
export type Inputs = Pick<Stub<typeof AssetServiceService>, 'readActionInput'>;

/** A file of a run, whose checksum was verified before the first byte comes. */
export interface InputFile {
  file: Asset;
  /** To be read once. */
  chunks: AsyncIterable<Buffer>;
}

/** The step's own timeout comes first. */
const DEADLINE_MS = 600_000;

/** Opens a file that was given to the run. @throws ASSET_INPUT_INVALID */
export async function openInput(inputs: Inputs, assetId: string, { runId, caller }: StepRequest, signal: AbortSignal): Promise<InputFile> {
  const frames = inputs.readActionInput({ assetId, runId }, { caller, signal, deadlineMs: DEADLINE_MS })[Symbol.asyncIterator]();
  const first = await frames.next();
  const frame = first.done ? undefined : first.value.frame;
  if (frame?.$case !== 'head') throw new GatewayError('ASSET_INPUT_INVALID', 'a file of the input could not be read');
  return { file: frame.value, chunks: chunksOf(frames) };
}

type Frames = AsyncIterator<{ frame?: { $case: 'head'; value: Asset } | { $case: 'chunk'; value: Buffer } | undefined }>;

async function* chunksOf(frames: Frames): AsyncGenerator<Buffer> {
  try {
    for (let item = await frames.next(); !item.done; item = await frames.next()) {
      if (item.value.frame?.$case === 'chunk') yield item.value.frame.value;
    }
  } finally {
    // Who stops reading stops whoever sends.
    await frames.return?.();
  }
}
