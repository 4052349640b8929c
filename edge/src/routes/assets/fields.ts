import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { uuid } from '../fields.ts';

/** The asset in a path. */
export const assetParams = z.object({ asset_id: uuid });

/** Errors of every operation on one asset. */
export const ASSET_ERRORS = ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'] as const satisfies readonly Condition[];

/** The same for an asset that must have failed. */
export const RETRY_ASSET_ERRORS = [...ASSET_ERRORS, 'ASSET_NOT_RETRYABLE'] as const satisfies readonly Condition[];

/** The same for its bytes. */
export const ASSET_DOWNLOAD_ERRORS = [...ASSET_ERRORS, 'ASSET_NOT_READY', 'RANGE_NOT_SATISFIABLE'] as const satisfies readonly Condition[];
