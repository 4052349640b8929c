import { type Asset } from '@parley/protos/asset/v1/asset';
import { z } from 'zod';
import { asset, toAsset, toAssetError } from './asset.ts';
import { type LinkWriter } from './link-writer.ts';

const ASSET_EVENTS = ['asset.discovered', 'asset.processing', 'asset.ready', 'asset.failed'] as const;
const TYPES = [...ASSET_EVENTS, ...(['response.partially_completed', 'response.completed', 'response.failed'] as const)] as const;

/** Type of a lifecycle event that concerns an asset. */
export type AssetEventType = (typeof ASSET_EVENTS)[number];

/** An event of a streamed answer other than its text. */
export const lifecycleEvent = z
  .object({
    type: z.enum(TYPES),
    asset: asset.optional().meta({ description: 'For `asset.*`: the asset at the time of the event.' }),
    error_code: z.string().optional().meta({ description: 'For `asset.failed`.' }),
    error_message: z.string().optional().meta({ description: 'For `asset.failed`.' }),
    error: z
      .object({ code: z.string(), message: z.string(), retryable: z.boolean().nullable() })
      .optional()
      .meta({ description: 'For `response.failed`.' }),
  })
  .meta({ id: 'LifecycleEvent' });

/** A lifecycle event, ready to be serialised into a stream. */
export type LifecycleEvent = z.input<typeof lifecycleEvent>;

/** Converts a step of an asset to its event. A step that was not observed shows the asset in the state that the step implies. */
export function toAssetEvent(step: AssetEventType, seen: Asset, link: LinkWriter): LifecycleEvent {
  return {
    type: step,
    asset: toAsset({ ...seen, status: statusAt(step, seen.status) }, link),
    ...(step === 'asset.failed' && toAssetError(seen)),
  };
}

function statusAt(step: AssetEventType, status: string): string {
  if (step === 'asset.discovered') return 'discovered';
  return step === 'asset.processing' && status !== 'validating' ? 'downloading' : status;
}
