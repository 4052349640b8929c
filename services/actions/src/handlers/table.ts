import type { Handlers } from '@parley/kit/rpc/server';
import type { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import type { Deps } from '../deps.ts';
import { cancelRun } from './cancel-run.ts';
import { createRun } from './create-run.ts';
import { getEligibility } from './get-eligibility.ts';
import { getRun } from './get-run.ts';
import { listRunEvents } from './list-run-events.ts';
import { listRuns } from './list-runs.ts';

/** Says so, rather than answer as if it worked. */
const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'the catalog of actions is not available yet');
};

/** The service's operations: what a caller may do, each handler checks by itself. */
export function handlerTable(deps: Deps): Handlers<typeof ActionsServiceService> {
  return {
    listActions: notYet,
    getAction: notYet,
    createRun: (request, call) => createRun(deps, request, call),
    listRuns: (request, call) => listRuns(deps, request, call),
    getRun: (request, call) => getRun(deps, request, call),
    cancelRun: (request, call) => cancelRun(deps, request, call),
    listRunEvents: (request, call) => listRunEvents(deps, request, call),
    getEligibility: (request, call) => getEligibility(deps, request, call),
    validateDocument: notYet,
    publishAction: notYet,
    listAllActions: notYet,
    setActionEnabled: notYet,
    setCohortMember: notYet,
    listCohort: notYet,
  };
}
