import { type Condition } from '../catalogue.ts';
import { ACTIONS } from './actions.ts';
import { AUDIO } from './audio.ts';
import { AUTHENTICATION } from './authentication.ts';
import { CONNECTING } from './connecting.ts';
import { CONVERSATIONS } from './conversations.ts';
import { type GuideEntry } from './entry.ts';
import { GATEWAY } from './gateway.ts';
import { PEOPLE } from './people.ts';
import { REQUESTS } from './requests.ts';
import { RESOURCES } from './resources.ts';
import { ROUTING } from './routing.ts';
import { UPSTREAMS } from './upstreams.ts';

/** The guide entry of every condition of the catalogue. */
export const GUIDE: Readonly<Record<Condition, GuideEntry>> = {
  ...AUTHENTICATION,
  ...PEOPLE,
  ...REQUESTS,
  ...RESOURCES,
  ...CONVERSATIONS,
  ...ROUTING,
  ...CONNECTING,
  ...UPSTREAMS,
  ...AUDIO,
  ...ACTIONS,
  ...GATEWAY,
};
