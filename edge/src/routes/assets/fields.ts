import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { uuid } from '../fields.ts';

/** The asset a path names. */
export const assetParams = z.object({ asset_id: uuid });

/** What every operation on one asset may be refused with. */
export const ASSET_ERRORS = ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'] as const satisfies readonly Condition[];

/** The same for an asset that must have failed. */
export const ASSET_RETRY_ERRORS = [...ASSET_ERRORS, 'ASSET_NOT_RETRYABLE'] as const satisfies readonly Condition[];

/** The same for its bytes. */
export const ASSET_DOWNLOAD_ERRORS = [...ASSET_ERRORS, 'ASSET_NOT_READY', 'RANGE_NOT_SATISFIABLE'] as const satisfies readonly Condition[];
