import { type Stub } from '@parley/kit/rpc/client';
import { type Asset, type AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type OpenFile, openFile } from '@parley/kit/rpc/open-file';
import { type StepRequest } from './step-executor.ts';

/** Of the asset service, what gives a run its files. */
export type Inputs = Pick<Stub<typeof AssetServiceService>, 'readActionInput'>;

/** A file of a run, whose checksum was verified before the first byte comes. */
export type InputFile = OpenFile<Asset>;

/** The step's own timeout comes first. */
const DEADLINE_MS = 600_000;

/** Opens a file that was given to the run. @throws ASSET_INPUT_INVALID */
export async function openInput(inputs: Inputs, assetId: string, request: StepRequest, signal: AbortSignal): Promise<InputFile> {
  const { runId, caller, traceparent } = request;
  const file = await openFile(inputs.readActionInput({ assetId, runId }, { caller, traceparent, signal, deadlineMs: DEADLINE_MS }));
  if (!file) throw new GatewayError('ASSET_INPUT_INVALID', 'a file of the input could not be read');
  return file;
}
