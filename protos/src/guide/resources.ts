import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

const IDS = 'The answer that created the resource has its id, and so has its list.';

/** Conditions of resources that do not exist, that the key may not use, or that are in the wrong state. */
export const RESOURCE_GUIDE = {
  CONVERSATION_NOT_FOUND: {
    meaning: 'The conversation does not exist.',
    cause: 'The id is unknown, or the conversation was deleted.',
    remedy: `Start a new one: leave \`X-Service-Conversation-Id\` out and keep the id in the answer. ${IDS}`,
  },
  MESSAGE_NOT_FOUND: {
    meaning: 'The message does not exist.',
    cause: 'The id is unknown, or its conversation was deleted.',
    remedy: 'Read the messages of the conversation with `GET /v1/conversations/{id}/messages`.',
  },
  PARTICIPANT_NOT_FOUND: {
    meaning: 'No participant of the conversation, or user of the workspace, has this id.',
    cause: 'The user was removed, never took part, or belongs to another workspace.',
    remedy: 'Read `participants` of `GET /v1/conversations/{id}`.',
  },
  PROJECT_NOT_FOUND: {
    meaning: 'The workspace has no such upstream project.',
    cause: 'The id is unknown, or the project was deleted.',
    remedy: `${IDS} \`GET /v1/projects\` lists projects.`,
  },
  SOURCE_NOT_FOUND: {
    meaning: 'The project has no such source.',
    cause: 'The source was removed, or belongs to another project.',
    remedy: 'Read `sources` of `GET /v1/projects/{id}`.',
  },
  CONNECTION_NOT_FOUND: {
    meaning: 'The workspace has no such connection.',
    cause: 'The label in `X-Service-Upstream-Account`, or the id in the body, belongs to no connection.',
    remedy: 'Choose one of `GET /v1/connections`, or leave it out: the gateway then chooses.',
  },
  ASSET_NOT_FOUND: {
    meaning: 'The asset does not exist.',
    cause: 'The id is unknown, or the asset was deleted with its conversation or project.',
    remedy:
      '`GET /v1/conversations/{id}/assets` lists assets, and messages contain them. `attachment_file_ids` takes the `file_id` of an upload, not its `asset_id`.',
  },
  AUDIO_JOB_NOT_FOUND: {
    meaning: 'The workspace has no such speech job.',
    cause: 'The id is unknown or belongs to another workspace.',
    remedy: '`GET /v1/audio/generations` lists jobs.',
  },
  AUDIO_PROVIDER_NOT_FOUND: {
    meaning: 'The workspace has no such speech provider.',
    cause: '`provider` names one that is unknown or not connected.',
    remedy: 'Choose one of `GET /v1/audio/providers`, or leave it out.',
  },
  VOICE_NOT_FOUND: {
    meaning: 'The provider has no such voice.',
    cause: 'The provider does not know the name. OpenAI’s names (`alloy` …) always work.',
    remedy: 'Choose one of `GET /v1/audio/providers/{provider}/voices`.',
  },
  ACTION_NOT_FOUND: {
    meaning: 'The workspace has no such action.',
    cause: 'The slug is unknown, or no version of the action has been published.',
    remedy: 'Choose one of `GET /v1/actions`.',
  },
  ACTION_RUN_NOT_FOUND: {
    meaning: 'The action has no such run.',
    cause: 'The id is unknown or belongs to another action or workspace.',
    remedy: '`GET /v1/actions/{slug}/runs` lists runs.',
  },
  REQUEST_NOT_FOUND: {
    meaning: 'No turn is recorded for this request id or turn id.',
    cause:
      'The id is wrong, the request was rejected before its turn began (`parley_request_errors_total` and the access line of the edge have it), or it was no chat request.',
    remedy: 'Take the id of the header `X-Request-Id` of the answer. `GET /admin/v1/turns` lists turns by time.',
  },
  CONVERSATION_ACCESS_DENIED: {
    meaning: 'This key may not do this with the conversation.',
    cause: 'A conversation belongs to the key that started it. Other users must be participants, and a viewer may only read.',
    remedy: 'Use the owning key, or have its owner share the conversation with `POST /v1/conversations/{id}/share`.',
  },
  ASSET_ACCESS_DENIED: {
    meaning: 'The asset belongs to another workspace, or to another conversation than the one of the request.',
    cause: 'Assets belong to a workspace, and an attachment to the conversation that it was uploaded to.',
    remedy: 'Upload the file to the conversation that needs it.',
  },
  ASSET_NOT_READY: {
    meaning: 'The asset cannot be downloaded, because it has not been stored.',
    cause: 'The gateway is still fetching and checking it, or that has failed; its `status` says which.',
    remedy:
      'Poll `GET /v1/assets/{id}` until its `status` is `ready`. `POST /v1/assets/{id}/retry` fetches an asset that is `failed` again.',
    retry: 'Yes, every second or so while the status is neither `ready` nor `failed`.',
  },
  ASSET_NOT_RETRYABLE: {
    meaning: 'The asset cannot be retried.',
    cause: 'Only an asset whose `status` is `failed` can be fetched again.',
    remedy: 'Read its `status`; an asset that is `ready` can be downloaded.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
