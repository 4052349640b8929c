import { type Row } from './row.ts';
import { ACTION_ERRORS } from './tables/actions.ts';
import { AUDIO } from './tables/audio.ts';
import { AUTHENTICATION } from './tables/authentication.ts';
import { CONVERSATIONS } from './tables/conversations.ts';
import { FILES } from './tables/files.ts';
import { CONNECTING_ERRORS } from './tables/people-connecting.ts';
import { CONTROL_PLANE_ERRORS } from './tables/people-control.ts';
import { FACTOR_ERRORS } from './tables/people-factors.ts';
import { OIDC_ERRORS } from './tables/people-oidc.ts';
import { PEOPLE_ERRORS } from './tables/people.ts';
import { REQUESTS } from './tables/requests.ts';
import { ROUTING } from './tables/routing.ts';
import { TRANSCRIPTION } from './tables/transcription.ts';
import { UPSTREAMS } from './tables/upstreams.ts';

/** What a gateway in order can be brought to answer, by topic. */
export const TABLES: Readonly<Record<string, readonly Row[]>> = {
  authentication: AUTHENTICATION,
  requests: REQUESTS,
  routing: ROUTING,
  conversations: CONVERSATIONS,
  files: FILES,
  upstreams: UPSTREAMS,
  audio: AUDIO,
  transcription: TRANSCRIPTION,
  actions: ACTION_ERRORS,
  'accounts connected step by step': CONNECTING_ERRORS,
  'second factors': FACTOR_ERRORS,
  'sign-in with providers': OIDC_ERRORS,
  people: PEOPLE_ERRORS,
  'control plane': CONTROL_PLANE_ERRORS,
};
