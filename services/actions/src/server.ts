import { startAll } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/server';
import { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type ActionsConfig } from './config.ts';

/** The actions service while it runs. */
export interface ActionsServer extends AsyncDisposable {
  address: Address;
  ready(): Promise<ReadinessReport>;
  /** Refuses new calls with SHUTTING_DOWN and waits for those under way. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface ActionsOverrides {
  log?: Logger;
}

/** Says so, rather than answer as if it worked. */
const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'actions are not available yet');
};

/** One entry for each method of the contract, so that a new one does not go unnoticed. */
const handlers: Handlers<typeof ActionsServiceService> = {
  listActions: notYet,
  getAction: notYet,
  createRun: notYet,
  listRuns: notYet,
  getRun: notYet,
  cancelRun: notYet,
  listRunEvents: notYet,
  getEligibility: notYet,
  validateDocument: notYet,
  publishAction: notYet,
  listAllActions: notYet,
  setActionEnabled: notYet,
  setCohortMember: notYet,
  listCohort: notYet,
};

/** Starts the actions service: it answers health and refuses every method with NOT_IMPLEMENTED. */
export function startActions({ listen, logLevel }: ActionsConfig, overrides: ActionsOverrides = {}): Promise<ActionsServer> {
  const log = overrides.log ?? createLogger({ service: 'actions', level: logLevel });
  return startAll(async (parts) => {
    const endpoint = await serve(ActionsServiceService, handlers, listen, log);
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
