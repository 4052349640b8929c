import { describe, expect, it } from '@jest/globals';
import { type ThrottleClass } from '../config.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { CHAT_ROUTE } from './chat/route.ts';
import { ALL_ROUTES, ROUTES } from './index.ts';

/** Spec §8.2, operation by operation. Everything that is not named here has no throttle. */
const THROTTLED: Record<string, ThrottleClass> = {
  // Chat completions
  'POST /v1/chat/completions': 'rate_limit',
  // Attachment upload
  'POST /v1/conversations/{conversation_id}/attachments': 'rate_limit',
  // Conversation PATCH, DELETE, sync, archive, restore, share, transfer
  'PATCH /v1/conversations/{conversation_id}': 'rate_limit',
  'DELETE /v1/conversations/{conversation_id}': 'rate_limit',
  'POST /v1/conversations/{conversation_id}/sync': 'rate_limit',
  'POST /v1/conversations/{conversation_id}/archive': 'rate_limit',
  'POST /v1/conversations/{conversation_id}/restore': 'rate_limit',
  'POST /v1/conversations/{conversation_id}/share': 'rate_limit',
  'POST /v1/conversations/{conversation_id}/transfer': 'rate_limit',
  // Participant update and removal
  'PATCH /v1/conversations/{conversation_id}/participants/{user_id}': 'rate_limit',
  'DELETE /v1/conversations/{conversation_id}/participants/{user_id}': 'rate_limit',
  // Asset retry
  'POST /v1/assets/{asset_id}/retry': 'rate_limit',
  // Project create, update, delete, and project-file removal
  'POST /v1/projects': 'rate_limit',
  'PATCH /v1/projects/{project_id}': 'rate_limit',
  'DELETE /v1/projects/{project_id}': 'rate_limit',
  'DELETE /v1/projects/{project_id}/files/{source_id}': 'rate_limit',
  // Transcription
  'POST /v1/audio/transcriptions': 'rate_limit',
  // Project-file upload
  'POST /v1/projects/{project_id}/files': 'upload_rate_limit',
  // Audio generation, audio retry, synchronous speech
  'POST /v1/audio/generations': 'tts_rate_limit',
  'POST /v1/audio/generations/{job_id}/retry': 'tts_rate_limit',
  'POST /v1/audio/speech': 'tts_rate_limit',
};

/** Operations of the data plane that are not throttled. */
const UNTHROTTLED = [
  'POST /v1/conversations',
  'POST /v1/audio/generations/{job_id}/cancel',
  'POST /v1/actions/{slug}/runs',
  'POST /v1/actions/{slug}/runs/{run_id}/cancel',
  'GET /v1/models',
  'GET /v1/capabilities',
  'GET /v1/connections',
  'GET /v1/usage',
  'GET /v1/conversations',
  'GET /v1/conversations/{conversation_id}',
  'GET /v1/conversations/{conversation_id}/messages',
  'GET /v1/conversations/{conversation_id}/participants',
  'GET /v1/conversations/{conversation_id}/assets',
  'GET /v1/messages/{message_id}',
  'GET /v1/assets/{asset_id}',
  'GET /v1/assets/{asset_id}/download',
  'GET /v1/projects',
  'GET /v1/projects/{project_id}',
  'GET /v1/projects/{project_id}/files',
  'GET /v1/audio/generations',
  'GET /v1/audio/generations/{job_id}',
  'GET /v1/audio/generations/{job_id}/content',
  'GET /v1/audio/providers',
  'GET /v1/audio/providers/{provider}/voices',
  'GET /v1/audio/providers/{provider}/capabilities',
  'GET /v1/actions',
  'GET /v1/actions/{slug}',
  'GET /v1/actions/{slug}/assets',
  'POST /v1/actions/{slug}/assets',
  'GET /v1/actions/{slug}/runs',
  'GET /v1/actions/{slug}/runs/{run_id}',
  'GET /v1/actions/{slug}/runs/{run_id}/events',
];

/** Every operation of the data plane and its class, as the table has them. */
const TABLE = new Map(
  [CHAT_ROUTE, ...ROUTES]
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path, throttle }): [string, ThrottleClass | null] => [`${method.toUpperCase()} ${path}`, throttle]),
);

describe('the throttle classes of the route table', () => {
  it.each(Object.entries(THROTTLED))('%s is counted as %s', (operation, expected) => {
    expect(TABLE.get(operation)).toBe(expected);
  });

  it.each(UNTHROTTLED)('%s is not counted', (operation) => {
    expect(TABLE.get(operation)).toBeNull();
  });

  it('are decided for every operation of the data plane', () => {
    expect([...TABLE.keys()].sort()).toEqual([...Object.keys(THROTTLED), ...UNTHROTTLED].sort());
  });

  it('are the same for people', () => {
    for (const { mirrors: mounts, throttle, path } of ALL_ROUTES)
      if (mounts) expect([path, throttle]).toEqual([`/me${mounts.path}`, mounts.throttle]);
  });

  it('are not on the control plane, nor on that of the process', () => {
    const isElsewhere = ({ path }: RouteSpec) => !/^\/(?:me\/)?v1\//.test(path);
    expect(ROUTES.filter((row) => isElsewhere(row) && row.throttle !== null)).toEqual([]);
  });
});
