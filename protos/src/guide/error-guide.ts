import { type ErrorCondition } from '../error-catalogue.ts';
import { ACTION_GUIDE } from './actions.ts';
import { AUDIO_GUIDE } from './audio.ts';
import { AUTHENTICATION_GUIDE } from './authentication.ts';
import { CONNECT_FLOW_GUIDE } from './connect-flow.ts';
import { CONTROL_PLANE_GUIDE } from './control-plane.ts';
import { CONVERSATION_GUIDE } from './conversations.ts';
import { GATEWAY_GUIDE } from './gateway.ts';
import { type GuideEntry } from './guide-entry.ts';
import { REQUEST_GUIDE } from './requests.ts';
import { RESOURCE_GUIDE } from './resources.ts';
import { ROUTING_GUIDE } from './routing.ts';
import { UPSTREAM_GUIDE } from './upstreams.ts';

/** The guide entry of every error condition of the catalogue. */
export const ERROR_GUIDE: Readonly<Record<ErrorCondition, GuideEntry>> = {
  ...AUTHENTICATION_GUIDE,
  ...CONTROL_PLANE_GUIDE,
  ...REQUEST_GUIDE,
  ...RESOURCE_GUIDE,
  ...CONVERSATION_GUIDE,
  ...ROUTING_GUIDE,
  ...CONNECT_FLOW_GUIDE,
  ...UPSTREAM_GUIDE,
  ...AUDIO_GUIDE,
  ...ACTION_GUIDE,
  ...GATEWAY_GUIDE,
};
