import { type Caller } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';

/** The asset service's RPC that assigns uploaded files to a run. */
export type ActionInputsClient = Pick<Stub<typeof AssetServiceService>, 'consumeActionInputs'>;

const DEADLINE_MS = 15_000;

/** Assigns the file inputs of a run to the run, all or none; idempotent. @throws ASSET_INPUT_INVALID */
export async function assignFileInputs(
  assets: ActionInputsClient,
  workflow: Pick<Workflow, 'slug' | 'fileInputs'>,
  { runId, inputs, caller, traceparent }: { runId: string; inputs: JsonObject; caller: Caller; traceparent: string },
  signal: AbortSignal,
): Promise<void> {
  const given = workflow.fileInputs.map((name) => inputs[name]).filter((value) => value !== undefined);
  if (given.length === 0) return;
  const request = { assetIds: given.map(assetId), actionSlug: workflow.slug, runId };
  await assets.consumeActionInputs(request, { caller, traceparent, signal, deadlineMs: DEADLINE_MS });
}

function assetId(value: JsonValue): string {
  const id = typeof value === 'object' && value !== null && 'asset_id' in value ? value['asset_id'] : undefined;
  if (typeof id === 'string') return id;
  throw new GatewayError('ASSET_INPUT_INVALID', 'a file input names no asset');
}
