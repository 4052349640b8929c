import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

/** Descriptions and examples of the operations of people (`/me`). */
export const PEOPLE_DETAILS: DetailsByOperationId = {
  getMeDocument: { description: 'This document: the surface of people, which pages of the gateway use.' },
  getCurrentSession: {
    description: 'Who is signed in, with which roles, and the CSRF token that every method needs which changes something.',
    response: {
      id: SAMPLE.request,
      user: { id: SAMPLE.user, display_name: 'Ada', email: 'ada@example.com' },
      rights: { instance_role: null, memberships: [{ workspace_id: SAMPLE.workspace, role: 'member' }] },
      ...{ method: 'password', is_strong: false, second_factor_required: false, created_at: SAMPLE.time, expires_at: SAMPLE.later },
      csrf_token: '6y0Zx3m1v2bqJ8Z6xkq6n3Jt4rQ0m9yW2cP1sV5aLk8',
    },
  },
  listChanges: {
    description:
      'Server-sent events for pages that show what moves. Each is a hint: the page reads the resource again, with the rights of its person. After a lost connection ' +
      '`Last-Event-ID` goes on without a gap; where that is not possible the stream begins with `resync`. It ends with `session_ended` when the session ends.',
    events: {
      asset: {
        summary: 'An asset moved on',
        value: { workspace_id: SAMPLE.workspace, asset_id: SAMPLE.asset, conversation_id: SAMPLE.conversation, status: 'ready' },
      },
      usage: { summary: 'Requests were counted', value: { workspace_id: SAMPLE.workspace, requests: 1, tokens_in: 12, tokens_out: 48 } },
    },
  },
  getPermissions: {
    description: 'The table of rights. Pages hide by it what would be refused.',
    response: { 'keys.write': { instance: ['owner', 'admin'], workspace: ['owner', 'admin'] } },
  },
};
