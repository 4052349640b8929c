import { type Stub } from '@parley/kit/rpc/client';
import { type OpenFileStream, openFileStream } from '@parley/kit/rpc/open-file-stream';
import { type Asset, type AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type StepRequest } from './step-executor.ts';

/** The asset service's RPC that reads the files of a run. */
export type InputFilesClient = Pick<Stub<typeof AssetServiceService>, 'readActionInput'>;

/** A file of a run; its checksum was verified before the first byte is sent. */
export type InputFile = OpenFileStream<Asset>;

/** Longer than any step's own timeout, in milliseconds. */
const DEADLINE_MS = 600_000;

/** Opens a file that is assigned to the run. @throws ASSET_INPUT_INVALID */
export async function openInputFile(
  inputs: InputFilesClient,
  assetId: string,
  request: StepRequest,
  signal: AbortSignal,
): Promise<InputFile> {
  const { runId, caller, traceparent } = request;
  const file = await openFileStream(inputs.readActionInput({ assetId, runId }, { caller, traceparent, signal, deadlineMs: DEADLINE_MS }));
  if (!file) throw new GatewayError('ASSET_INPUT_INVALID', 'a file of the input could not be read');
  return file;
}
