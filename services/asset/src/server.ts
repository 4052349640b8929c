import { startAll } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/server';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type AssetConfig } from './config.ts';

/** The asset service while it runs. */
export interface AssetServer extends AsyncDisposable {
  address: Address;
  ready(): Promise<ReadinessReport>;
  /** Refuses new calls with SHUTTING_DOWN and waits for those under way. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface AssetOverrides {
  log?: Logger;
}

/** Says so, rather than answer as if it worked. */
const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'assets are not available yet');
};

/** One entry for each method of the contract, so that a new one does not go unnoticed. */
const handlers: Handlers<typeof AssetServiceService> = {
  uploadAttachment: notYet,
  uploadProjectFile: notYet,
  deleteProjectFile: notYet,
  registerArtifacts: notYet,
  listAssets: notYet,
  openDownload: notYet,
  getAsset: notYet,
  retryAsset: notYet,
  listConversationAssets: notYet,
};

/** Starts the asset service: it answers health and refuses every method with NOT_IMPLEMENTED. */
export function startAsset({ listen, logLevel }: AssetConfig, overrides: AssetOverrides = {}): Promise<AssetServer> {
  const log = overrides.log ?? createLogger({ service: 'asset', level: logLevel });
  return startAll(async (parts) => {
    const endpoint = await serve(AssetServiceService, handlers, listen, log);
    parts.defer(() => endpoint.close());
    const readiness = new Readiness();
    return {
      address: endpoint.address,
      ready: () => readiness.report(),
      drain: () => {
        readiness.drain();
        return endpoint.drain();
      },
    };
  });
}
