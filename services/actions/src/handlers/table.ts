import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { type Deps } from '../deps.ts';
import { cancelRun } from './cancel-run.ts';
import { createRun } from './create-run.ts';
import { getAction } from './get-action.ts';
import { getEligibility } from './get-eligibility.ts';
import { getRun } from './get-run.ts';
import { listActions, listAllActions } from './list-actions.ts';
import { listCohort } from './list-cohort.ts';
import { listRunEvents } from './list-run-events.ts';
import { listRuns } from './list-runs.ts';
import { publishAction } from './publish-action.ts';
import { setActionEnabled } from './set-action-enabled.ts';
import { setCohortMember } from './set-cohort-member.ts';
import { validateDocument } from './validate-document.ts';
import { getVersion, listVersions } from './versions.ts';

/** The handler of each RPC; each handler checks the permission of its caller. */
export function handlerTable(deps: Deps): Handlers<typeof ActionsServiceService> {
  return {
    listActions: (request) => listActions(deps, request),
    getAction: (request) => getAction(deps, request),
    createRun: (request, call) => createRun(deps, request, call),
    listRuns: (request, call) => listRuns(deps, request, call),
    getRun: (request, call) => getRun(deps, request, call),
    cancelRun: (request, call) => cancelRun(deps, request, call),
    listRunEvents: (request, call) => listRunEvents(deps, request, call),
    getEligibility: (request, call) => getEligibility(deps, request, call),
    validateDocument,
    publishAction: (request) => publishAction(deps, request),
    listAllActions: (request) => listAllActions(deps, request),
    listVersions: (request) => listVersions(deps, request),
    getVersion: (request) => getVersion(deps, request),
    setActionEnabled: (request) => setActionEnabled(deps, request),
    setCohortMember: (request) => setCohortMember(deps, request),
    listCohort: () => listCohort(deps),
  };
}
