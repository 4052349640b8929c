import { type RouteSpec } from '../route-spec.ts';
import { ACTION_DETAILS } from './actions.ts';
import { AUDIO_DETAILS } from './audio.ts';
import { AUDIT_DETAILS } from './audit.ts';
import { CHAT_DETAILS } from './chat.ts';
import { CONNECT_FLOW_DETAILS } from './connect-flows.ts';
import { CONTROL_PLANE_DETAILS } from './control-plane.ts';
import { CONVERSATION_DETAILS } from './conversations.ts';
import { type DetailsByOperationId, type OperationDetails } from './details.ts';
import { DISCOVERY_DETAILS } from './discovery.ts';
import { OIDC_DETAILS } from './oidc.ts';
import { OPERATOR_DETAILS } from './operator.ts';
import { PEOPLE_DETAILS } from './people.ts';
import { RESOURCE_DETAILS } from './resources.ts';
import { SECOND_FACTOR_DETAILS } from './second-factors.ts';
import { SIGN_IN_DETAILS } from './sign-in.ts';
import { WORKSPACE_DETAILS } from './workspaces.ts';

/** Descriptions and examples of all operations; a test requires them for each route. */
export const OPERATION_DETAILS: DetailsByOperationId = {
  ...CHAT_DETAILS,
  ...CONVERSATION_DETAILS,
  ...RESOURCE_DETAILS,
  ...AUDIO_DETAILS,
  ...ACTION_DETAILS,
  ...DISCOVERY_DETAILS,
  ...OPERATOR_DETAILS,
  ...CONTROL_PLANE_DETAILS,
  ...PEOPLE_DETAILS,
  ...AUDIT_DETAILS,
  ...CONNECT_FLOW_DETAILS,
  ...SECOND_FACTOR_DETAILS,
  ...SIGN_IN_DETAILS,
  ...OIDC_DETAILS,
  ...WORKSPACE_DETAILS,
};

/** Returns the details of a route; an operation for people has those of the `/v1` operation. */
export function findOperationDetails(row: Pick<RouteSpec, 'operationId' | 'mirrors'>): OperationDetails | undefined {
  return OPERATION_DETAILS[(row.mirrors ?? row).operationId];
}
