import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

const LIST = 'Ids come from the answer that made the thing, and from its list.';

/** What there is not, or not for this key. */
export const RESOURCES = {
  CONVERSATION_NOT_FOUND: {
    meaning: 'There is no such conversation.',
    cause: 'The id is unknown, or the conversation was deleted.',
    remedy: `Begin a new one: leave \`X-Service-Conversation-Id\` out and keep the id that the answer carries. ${LIST}`,
  },
  MESSAGE_NOT_FOUND: {
    meaning: 'There is no such message.',
    cause: 'The id is unknown, or its conversation was deleted.',
    remedy: 'Read the messages of the conversation with `GET /v1/conversations/{id}/messages`.',
  },
  PARTICIPANT_NOT_FOUND: {
    meaning: 'Nobody with this id takes part in the conversation, or exists in the workspace.',
    cause: 'The user was removed, never was in it, or belongs to another workspace.',
    remedy: 'Read `participants` of `GET /v1/conversations/{id}`.',
  },
  PROJECT_NOT_FOUND: {
    meaning: 'There is no such upstream project in this workspace.',
    cause: 'The id is unknown, or the project was deleted.',
    remedy: `${LIST} Projects are listed by \`GET /v1/projects\`.`,
  },
  SOURCE_NOT_FOUND: {
    meaning: 'The project has no such file.',
    cause: 'The file was removed, or belongs to another project.',
    remedy: 'Read `sources` of `GET /v1/projects/{id}`.',
  },
  CONNECTION_NOT_FOUND: {
    meaning: 'The workspace has no such account.',
    cause: 'The label in `X-Service-Upstream-Account`, or the id in the body, is of no connected account.',
    remedy: 'Choose one of `GET /v1/connections`, or leave it out: the gateway then chooses.',
  },
  ASSET_NOT_FOUND: {
    meaning: 'There is no such asset.',
    cause: 'The id is unknown, or the asset went with its conversation or project.',
    remedy:
      'Assets are listed by `GET /v1/conversations/{id}/assets` and stand in their messages. In `attachment_file_ids` the `file_id` of an upload is meant, not its `asset_id`.',
  },
  AUDIO_JOB_NOT_FOUND: {
    meaning: 'The workspace has no such speech job.',
    cause: 'The id is unknown or of another workspace.',
    remedy: 'Jobs are listed by `GET /v1/audio/generations`.',
  },
  AUDIO_PROVIDER_NOT_FOUND: {
    meaning: 'There is no such provider of speech for this workspace.',
    cause: '`provider` names one that is unknown or not connected.',
    remedy: 'Choose one of `GET /v1/audio/providers`, or leave it out.',
  },
  VOICE_NOT_FOUND: {
    meaning: 'The provider has no such voice.',
    cause: 'The name is unknown to it. OpenAI’s names (`alloy` …) always work.',
    remedy: 'Choose one of `GET /v1/audio/providers/{provider}/voices`.',
  },
  ACTION_NOT_FOUND: {
    meaning: 'There is no such action for this workspace.',
    cause: 'The slug is unknown, or no version of the action has been published.',
    remedy: 'Choose one of `GET /v1/actions`.',
  },
  ACTION_RUN_NOT_FOUND: {
    meaning: 'The action has no such run.',
    cause: 'The id is unknown or of another action or workspace.',
    remedy: 'Runs are listed by `GET /v1/actions/{slug}/runs`.',
  },
  CONVERSATION_ACCESS_DENIED: {
    meaning: 'This key may not do this with the conversation.',
    cause: 'A conversation belongs to the key that began it. Others must be let in as participants, and a viewer may only read.',
    remedy: 'Use the owning key, or have its owner share the conversation with `POST /v1/conversations/{id}/share`.',
  },
  ASSET_ACCESS_DENIED: {
    meaning: 'The asset is of another workspace, or of another conversation than the one it is to be used in.',
    cause: 'Assets belong to a workspace, and an attachment to the conversation that it was uploaded to.',
    remedy: 'Upload the file to the conversation in which it is needed.',
  },
  ASSET_NOT_READY: {
    meaning: 'The asset cannot be downloaded, because it has not been stored.',
    cause: 'It is still being fetched and checked, or that has failed; its `status` tells which.',
    remedy:
      'Ask `GET /v1/assets/{id}` until its `status` is `ready`. One that is `failed` can be fetched again with `POST /v1/assets/{id}/retry`.',
    retry: 'Yes, every second or so while the status is neither `ready` nor `failed`.',
  },
  ASSET_NOT_RETRYABLE: {
    meaning: 'There is nothing to repeat.',
    cause: 'Only an asset whose `status` is `failed` can be fetched again.',
    remedy: 'Look at its `status`; one that is `ready` can be downloaded.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
