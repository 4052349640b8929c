import { z } from 'zod';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { actionAsset } from '../wire/action-asset.ts';
import { actionRun, actionRunEvent } from '../wire/action-run.ts';
import { action, actionDetail } from '../wire/action.ts';
import { asset } from '../wire/asset.ts';
import { attachment } from '../wire/attachment.ts';
import { audioJob } from '../wire/audio-job.ts';
import { audioProvider, audioProviderCapabilities } from '../wire/audio-provider.ts';
import { capabilityManifest } from '../wire/capabilities.ts';
import { connection } from '../wire/connection.ts';
import { conversation, conversationDetail, createdConversation, deletedConversation } from '../wire/conversation.ts';
import { home } from '../wire/home.ts';
import { message } from '../wire/message.ts';
import { modelList } from '../wire/model.ts';
import { participant, removedParticipant } from '../wire/participant.ts';
import { createdProject, project, projectDetail, projectSource } from '../wire/project.ts';
import { readiness } from '../wire/readiness.ts';
import { transcription } from '../wire/transcription.ts';
import { usageReport } from '../wire/usage.ts';
import { voice } from '../wire/voice.ts';
import { actionFileForm, createActionAsset } from './actions/assets/create.ts';
import { listActionAssets } from './actions/assets/list.ts';
import {
  actionParams,
  ACTION_ERRORS,
  ACTION_ASSET_ERRORS,
  RUN_CANCEL_ERRORS,
  NEW_RUN_ERRORS,
  RUN_ERRORS,
  pageQuery as actionsQuery,
  runParams,
} from './actions/fields.ts';
import { getAction } from './actions/get.ts';
import { listActions } from './actions/list.ts';
import { cancelActionRun } from './actions/runs/cancel.ts';
import { createActionRun, createActionRunBody } from './actions/runs/create.ts';
import { runEventsHeaders, listActionRunEvents, runEventsQuery } from './actions/runs/events/list.ts';
import { getActionRun } from './actions/runs/get.ts';
import { listActionRuns, runsQuery } from './actions/runs/list.ts';
import { ADMIN_ROUTES } from './admin/index.ts';
import { downloadAsset } from './assets/download.ts';
import { assetParams, ASSET_ERRORS, ASSET_DOWNLOAD_ERRORS, RETRY_ASSET_ERRORS } from './assets/fields.ts';
import { getAsset } from './assets/get.ts';
import { retryAsset } from './assets/retry.ts';
import {
  SPEECH_CANCEL_ERRORS,
  SPEECH_CONTENT_ERRORS,
  SPEECH_JOB_ERRORS,
  NEW_SPEECH_JOB_ERRORS,
  SPEECH_PROVIDER_ERRORS,
  SPEECH_RETRY_ERRORS,
  SPEECH_ERRORS,
  TRANSCRIPTION_ERRORS,
  VOICES_ERRORS,
} from './audio/errors.ts';
import { estimateJobRetryAmounts, estimateTranscriptionAmounts, estimateSpeechAmounts } from './audio/estimate-audio.ts';
import { jobParams, providerParams } from './audio/fields.ts';
import { cancelAudioJob } from './audio/generations/cancel.ts';
import { getAudioContent } from './audio/generations/content.ts';
import { createAudioJob, jobHeaders, createAudioJobBody } from './audio/generations/create.ts';
import { getAudioJob } from './audio/generations/get.ts';
import { audioJobsQuery, listAudioJobs } from './audio/generations/list.ts';
import { retryAudioJob } from './audio/generations/retry.ts';
import { getAudioProviderCapabilities } from './audio/providers/capabilities/get.ts';
import { listAudioProviders } from './audio/providers/list.ts';
import { listVoices, voicesQuery } from './audio/providers/voices/list.ts';
import { createSpeech, createSpeechBody } from './audio/speech/create.ts';
import { createTranscription } from './audio/transcriptions/create.ts';
import { transcriptionForm } from './audio/transcriptions/transcription-fields.ts';
import { getCapabilities } from './capabilities/get.ts';
import { CHAT_ROUTE } from './chat/route.ts';
import { connectionsQuery, listConnections } from './connections/list.ts';
import { archiveConversation } from './conversations/archive.ts';
import { createAttachment } from './conversations/attachments/create.ts';
import { createConversation, createConversationBody } from './conversations/create.ts';
import { deleteConversation } from './conversations/delete.ts';
import {
  ATTACHMENT_ERRORS,
  NEW_CONVERSATION_ERRORS,
  MESSAGE_ERRORS,
  CONVERSATION_ERRORS,
  PARTICIPANT_ERRORS,
  SYNC_ERRORS,
} from './conversations/errors.ts';
import { conversationParams, participantParams } from './conversations/fields.ts';
import { getConversation } from './conversations/get.ts';
import { conversationAssetsQuery, listConversationAssets } from './conversations/list-assets.ts';
import { listMessages } from './conversations/list-messages.ts';
import { conversationsQuery, listConversations } from './conversations/list.ts';
import { listParticipants } from './conversations/participants/list.ts';
import { removeParticipant } from './conversations/participants/remove.ts';
import { updateParticipantBody, updateParticipant } from './conversations/participants/update.ts';
import { restoreConversation } from './conversations/restore.ts';
import { shareConversationBody, shareConversation } from './conversations/share.ts';
import { syncConversation } from './conversations/sync.ts';
import { transferConversationBody, transferConversation } from './conversations/transfer.ts';
import { updateConversationQuery, updateConversation } from './conversations/update.ts';
import { live, liveness } from './health/live.ts';
import { ready } from './health/ready.ts';
import { getHome } from './home/get.ts';
import { ME_ROUTES } from './me/index.ts';
import { ME_CHAT_ROUTE, toMeRoutes } from './me/to-me-routes.ts';
import { getMessage, messageParams } from './messages/get.ts';
import { listModels } from './models/list.ts';
import { getMeDocument, getPublicDocument, getWholeDocument } from './openapi/get.ts';
import { getView, getViewFile, viewFileParams } from './openapi/view.ts';
import { createProject, createProjectBody } from './projects/create.ts';
import { deleteProject } from './projects/delete.ts';
import {
  NEW_PROJECT_ERRORS,
  NEW_SOURCE_ERRORS,
  PROJECT_ERRORS,
  PROJECT_UPDATE_ERRORS,
  PROJECT_DELETE_ERRORS,
  SOURCE_DELETE_ERRORS,
} from './projects/errors.ts';
import { projectParams, sourceParams } from './projects/fields.ts';
import { createProjectFile } from './projects/files/create.ts';
import { deleteProjectFile } from './projects/files/delete.ts';
import { listProjectFiles } from './projects/files/list.ts';
import { getProject } from './projects/get.ts';
import { listProjects, projectsQuery } from './projects/list.ts';
import { updateProjectBody, updateProject } from './projects/update.ts';
import { route, type Route } from './route.ts';
import { fileForm } from './uploads.ts';
import { getUsage, usageQuery } from './usage/get.ts';

const description = z.record(z.string(), z.unknown()).meta({ description: 'An OpenAPI 3.1 document.' });

/** Access to operations on conversations and projects; those that change something are throttled. */
const CONVERSATIONS = { access: 'key', scope: 'conversations' } as const;
const THROTTLED = { ...CONVERSATIONS, throttle: 'rate_limit' } as const;
/** Access to operations on audio; `SPOKEN` is for those that run a speech engine. */
const AUDIO = { access: 'key', scope: 'audio' } as const;
const SPOKEN = { ...AUDIO, throttle: 'tts_rate_limit' } as const;
/** Access to actions: for reading, and for runs. */
const ACTIONS = { access: 'key', scope: 'actions:read' } as const;
const RUNS = { access: 'key', scope: 'actions:run' } as const;
const UPLOADS = { ...CONVERSATIONS, throttle: 'upload_rate_limit' } as const;

// oxfmt-ignore
const PUBLIC_ROUTES: readonly Route[] = [
  // Discovery and usage
  route({ method: 'get', path: '/v1/models', operationId: 'listModels', summary: 'List models', access: 'key', response: modelList, handle: listModels }),
  route({ method: 'get', path: '/v1/capabilities', operationId: 'getCapabilities', summary: 'Retrieve the capability manifest', access: 'key', response: capabilityManifest, handle: getCapabilities }),
  route({ method: 'get', path: '/v1/connections', operationId: 'listConnections', summary: 'List connected accounts', access: 'key', query: connectionsQuery, paged: true, response: z.array(connection), handle: listConnections }),
  route({ method: 'get', path: '/v1/usage', operationId: 'getUsage', summary: 'Report usage', access: 'key', query: usageQuery, response: usageReport, handle: getUsage }),

  // Conversations and messages
  route({ method: 'post', path: '/v1/conversations', operationId: 'createConversation', summary: 'Create a conversation', ...CONVERSATIONS, body: createConversationBody, status: 201, response: createdConversation, errors: NEW_CONVERSATION_ERRORS, handle: createConversation }),
  route({ method: 'get', path: '/v1/conversations', operationId: 'listConversations', summary: 'List conversations by last activity', ...CONVERSATIONS, query: conversationsQuery, paged: true, response: z.array(conversation), handle: listConversations }),
  route({ method: 'get', path: '/v1/conversations/{conversation_id}', operationId: 'getConversation', summary: 'Retrieve a conversation', ...CONVERSATIONS, params: conversationParams, response: conversationDetail, errors: CONVERSATION_ERRORS, handle: getConversation }),
  route({ method: 'patch', path: '/v1/conversations/{conversation_id}', operationId: 'updateConversation', summary: 'Rename, pin or unpin a conversation', ...THROTTLED, params: conversationParams, query: updateConversationQuery, response: conversation, errors: CONVERSATION_ERRORS, handle: updateConversation }),
  route({ method: 'delete', path: '/v1/conversations/{conversation_id}', operationId: 'deleteConversation', summary: 'Delete a conversation', ...THROTTLED, params: conversationParams, response: deletedConversation, errors: CONVERSATION_ERRORS, handle: deleteConversation }),
  route({ method: 'get', path: '/v1/conversations/{conversation_id}/messages', operationId: 'listMessages', summary: 'List all messages of a conversation', ...CONVERSATIONS, params: conversationParams, paged: true, response: z.array(message), errors: CONVERSATION_ERRORS, handle: listMessages }),
  route({ method: 'post', path: '/v1/conversations/{conversation_id}/sync', operationId: 'syncConversation', summary: 'Sync a conversation with its upstream', ...THROTTLED, params: conversationParams, response: conversation, errors: SYNC_ERRORS, handle: syncConversation }),
  route({ method: 'post', path: '/v1/conversations/{conversation_id}/archive', operationId: 'archiveConversation', summary: 'Archive a conversation', ...THROTTLED, params: conversationParams, response: conversation, errors: CONVERSATION_ERRORS, handle: archiveConversation }),
  route({ method: 'post', path: '/v1/conversations/{conversation_id}/restore', operationId: 'restoreConversation', summary: 'Restore an archived conversation', ...THROTTLED, params: conversationParams, response: conversation, errors: CONVERSATION_ERRORS, handle: restoreConversation }),
  route({ method: 'post', path: '/v1/conversations/{conversation_id}/share', operationId: 'shareConversation', summary: 'Share a conversation with a user', ...THROTTLED, params: conversationParams, body: shareConversationBody, response: participant, errors: PARTICIPANT_ERRORS, handle: shareConversation }),
  route({ method: 'post', path: '/v1/conversations/{conversation_id}/transfer', operationId: 'transferConversation', summary: 'Transfer a conversation to another owner', ...THROTTLED, params: conversationParams, body: transferConversationBody, response: conversation, errors: PARTICIPANT_ERRORS, handle: transferConversation }),
  route({ method: 'get', path: '/v1/conversations/{conversation_id}/participants', operationId: 'listParticipants', summary: 'List the participants of a conversation', ...CONVERSATIONS, params: conversationParams, paged: true, response: z.array(participant), errors: CONVERSATION_ERRORS, handle: listParticipants }),
  route({ method: 'patch', path: '/v1/conversations/{conversation_id}/participants/{user_id}', operationId: 'updateParticipant', summary: 'Change the role of a participant', ...THROTTLED, params: participantParams, body: updateParticipantBody, response: participant, errors: PARTICIPANT_ERRORS, handle: updateParticipant }),
  route({ method: 'delete', path: '/v1/conversations/{conversation_id}/participants/{user_id}', operationId: 'removeParticipant', summary: 'Remove a participant from a conversation', ...THROTTLED, params: participantParams, response: removedParticipant, errors: PARTICIPANT_ERRORS, handle: removeParticipant }),
  route({ method: 'post', path: '/v1/conversations/{conversation_id}/attachments', operationId: 'createAttachment', summary: 'Attach a file to a conversation', ...THROTTLED, limitsConcurrency: true, params: conversationParams, form: fileForm, response: attachment, errors: ATTACHMENT_ERRORS, handle: createAttachment }),
  route({ method: 'get', path: '/v1/messages/{message_id}', operationId: 'getMessage', summary: 'Retrieve a message', ...CONVERSATIONS, params: messageParams, response: message, errors: MESSAGE_ERRORS, handle: getMessage }),

  // Assets
  route({ method: 'get', path: '/v1/conversations/{conversation_id}/assets', operationId: 'listConversationAssets', summary: 'List the assets of a conversation', ...CONVERSATIONS, params: conversationParams, query: conversationAssetsQuery, paged: true, response: z.array(asset), errors: CONVERSATION_ERRORS, handle: listConversationAssets }),
  route({ method: 'get', path: '/v1/assets/{asset_id}', operationId: 'getAsset', summary: 'Retrieve an asset', ...CONVERSATIONS, params: assetParams, response: asset, errors: ASSET_ERRORS, handle: getAsset }),
  route({ method: 'get', path: '/v1/assets/{asset_id}/download', operationId: 'downloadAsset', summary: 'Download an asset', ...CONVERSATIONS, params: assetParams, binary: true, errors: ASSET_DOWNLOAD_ERRORS, handle: downloadAsset }),
  route({ method: 'post', path: '/v1/assets/{asset_id}/retry', operationId: 'retryAsset', summary: 'Retry a failed asset', ...THROTTLED, params: assetParams, response: asset, errors: RETRY_ASSET_ERRORS, handle: retryAsset }),

  // Projects
  route({ method: 'get', path: '/v1/projects', operationId: 'listProjects', summary: 'List projects', ...CONVERSATIONS, query: projectsQuery, paged: true, response: z.array(project), handle: listProjects }),
  route({ method: 'post', path: '/v1/projects', operationId: 'createProject', summary: 'Create a project', ...THROTTLED, body: createProjectBody, status: 201, response: createdProject, errors: NEW_PROJECT_ERRORS, handle: createProject }),
  route({ method: 'get', path: '/v1/projects/{project_id}', operationId: 'getProject', summary: 'Retrieve a project with its files', ...CONVERSATIONS, params: projectParams, response: projectDetail, errors: PROJECT_ERRORS, handle: getProject }),
  route({ method: 'patch', path: '/v1/projects/{project_id}', operationId: 'updateProject', summary: 'Rename a project or change its instructions', ...THROTTLED, params: projectParams, body: updateProjectBody, response: project, errors: PROJECT_UPDATE_ERRORS, handle: updateProject }),
  route({ method: 'delete', path: '/v1/projects/{project_id}', operationId: 'deleteProject', summary: 'Delete a project', ...THROTTLED, params: projectParams, status: 204, errors: PROJECT_DELETE_ERRORS, handle: deleteProject }),
  route({ method: 'get', path: '/v1/projects/{project_id}/files', operationId: 'listProjectFiles', summary: 'List the files of a project', ...CONVERSATIONS, params: projectParams, paged: true, response: z.array(projectSource), errors: PROJECT_ERRORS, handle: listProjectFiles }),
  route({ method: 'post', path: '/v1/projects/{project_id}/files', operationId: 'createProjectFile', summary: 'Add a file to a project', ...UPLOADS, limitsConcurrency: true, params: projectParams, form: fileForm, status: 201, response: projectSource, errors: NEW_SOURCE_ERRORS, handle: createProjectFile }),
  route({ method: 'delete', path: '/v1/projects/{project_id}/files/{source_id}', operationId: 'deleteProjectFile', summary: 'Remove a file from a project', ...THROTTLED, params: sourceParams, status: 204, errors: SOURCE_DELETE_ERRORS, handle: deleteProjectFile }),

  // Audio
  route({ method: 'post', path: '/v1/audio/transcriptions', operationId: 'createTranscription', summary: 'Transcribe an audio file', ...AUDIO, throttle: 'rate_limit', throttleCondition: 'TRANSCRIPTION_RATE_LIMIT', limitsConcurrency: true, metered: true, estimateAmounts: estimateTranscriptionAmounts, form: transcriptionForm, response: transcription, media: 'text/plain', errors: TRANSCRIPTION_ERRORS, handle: createTranscription }),
  route({ method: 'post', path: '/v1/audio/generations', operationId: 'createAudioJob', summary: 'Create a speech job', ...SPOKEN, metered: true, estimateAmounts: estimateSpeechAmounts, headers: jobHeaders, body: createAudioJobBody, status: 202, response: audioJob, errors: NEW_SPEECH_JOB_ERRORS, handle: createAudioJob }),
  route({ method: 'get', path: '/v1/audio/generations', operationId: 'listAudioJobs', summary: 'List speech jobs, newest first', ...AUDIO, query: audioJobsQuery, paged: true, response: z.array(audioJob), handle: listAudioJobs }),
  route({ method: 'get', path: '/v1/audio/generations/{job_id}', operationId: 'getAudioJob', summary: 'Retrieve a speech job', ...AUDIO, params: jobParams, response: audioJob, errors: SPEECH_JOB_ERRORS, handle: getAudioJob }),
  route({ method: 'get', path: '/v1/audio/generations/{job_id}/content', operationId: 'getAudioContent', summary: 'Download the audio of a completed speech job', ...AUDIO, params: jobParams, binary: true, media: 'audio/*', errors: SPEECH_CONTENT_ERRORS, handle: getAudioContent }),
  route({ method: 'post', path: '/v1/audio/generations/{job_id}/cancel', operationId: 'cancelAudioJob', summary: 'Cancel a speech job', ...AUDIO, params: jobParams, response: audioJob, errors: SPEECH_CANCEL_ERRORS, handle: cancelAudioJob }),
  route({ method: 'post', path: '/v1/audio/generations/{job_id}/retry', operationId: 'retryAudioJob', summary: 'Retry a failed speech job', ...SPOKEN, metered: true, estimateAmounts: estimateJobRetryAmounts, params: jobParams, status: 202, response: audioJob, errors: SPEECH_RETRY_ERRORS, handle: retryAudioJob }),
  route({ method: 'post', path: '/v1/audio/speech', operationId: 'createSpeech', summary: 'Create speech from a short text', ...SPOKEN, metered: true, limitsConcurrency: true, estimateAmounts: estimateSpeechAmounts, body: createSpeechBody, media: 'audio/*', errors: SPEECH_ERRORS, handle: createSpeech }),
  route({ method: 'get', path: '/v1/audio/providers', operationId: 'listAudioProviders', summary: 'List text-to-speech providers', ...AUDIO, paged: true, response: z.array(audioProvider), handle: listAudioProviders }),
  route({ method: 'get', path: '/v1/audio/providers/{provider}/voices', operationId: 'listVoices', summary: 'List the voices of a provider', ...AUDIO, params: providerParams, query: voicesQuery, paged: true, response: z.array(voice), errors: VOICES_ERRORS, handle: listVoices }),
  route({ method: 'get', path: '/v1/audio/providers/{provider}/capabilities', operationId: 'getAudioProviderCapabilities', summary: 'Retrieve the capabilities of a provider', ...AUDIO, params: providerParams, response: audioProviderCapabilities, errors: SPEECH_PROVIDER_ERRORS, handle: getAudioProviderCapabilities }),

  // Actions
  route({ method: 'get', path: '/v1/actions', operationId: 'listActions', summary: 'List published actions', ...ACTIONS, query: actionsQuery, paged: true, response: z.array(action), handle: listActions }),
  route({ method: 'get', path: '/v1/actions/{slug}', operationId: 'getAction', summary: 'Retrieve an action with its inputs and outputs', ...ACTIONS, params: actionParams, response: actionDetail, errors: ACTION_ERRORS, handle: getAction }),
  route({ method: 'post', path: '/v1/actions/{slug}/assets', operationId: 'createActionAsset', summary: 'Upload a file for one run of an action', ...RUNS, params: actionParams, form: actionFileForm, status: 201, response: actionAsset, errors: ACTION_ASSET_ERRORS, handle: createActionAsset }),
  route({ method: 'get', path: '/v1/actions/{slug}/assets', operationId: 'listActionAssets', summary: 'List the files that were uploaded for an action', ...ACTIONS, params: actionParams, query: actionsQuery, paged: true, response: z.array(actionAsset), errors: ACTION_ERRORS, handle: listActionAssets }),
  route({ method: 'post', path: '/v1/actions/{slug}/runs', operationId: 'createActionRun', summary: 'Run an action', ...RUNS, metered: true, estimateAmounts: () => ({ requests: 1 }), params: actionParams, body: createActionRunBody, status: 202, response: actionRun, errors: NEW_RUN_ERRORS, handle: createActionRun }),
  route({ method: 'get', path: '/v1/actions/{slug}/runs', operationId: 'listActionRuns', summary: 'List the runs of an action, newest first', ...ACTIONS, params: actionParams, query: runsQuery, paged: true, response: z.array(actionRun), handle: listActionRuns }),
  route({ method: 'get', path: '/v1/actions/{slug}/runs/{run_id}', operationId: 'getActionRun', summary: 'Retrieve a run', ...ACTIONS, params: runParams, response: actionRun, errors: RUN_ERRORS, handle: getActionRun }),
  route({ method: 'get', path: '/v1/actions/{slug}/runs/{run_id}/events', operationId: 'listActionRunEvents', summary: 'List the events of a run, or stream them', ...ACTIONS, params: runParams, query: runEventsQuery, headers: runEventsHeaders, response: z.array(actionRunEvent), events: actionRunEvent, optionalResponseHeaders: { Link: 'RFC 8288: the `next` page, unless the run has ended and there is none.' }, errors: RUN_ERRORS, otherResponses: [{ status: 204, description: 'For a stream: the run has ended, and the client has received all events.', isEmpty: true }], handle: listActionRunEvents }),
  route({ method: 'post', path: '/v1/actions/{slug}/runs/{run_id}/cancel', operationId: 'cancelActionRun', summary: 'Cancel a run', ...RUNS, params: runParams, response: actionRun, errors: RUN_CANCEL_ERRORS, handle: cancelActionRun }),

  // The process and its description
  route({ method: 'get', path: '/', operationId: 'getHome', summary: 'What answers here, and where its documentation is', access: 'public', media: 'text/html', response: home, handle: getHome }),
  route({ method: 'get', path: '/livez', operationId: 'live', summary: 'Check whether the process answers', access: 'public', response: liveness, handle: live }),
  route({ method: 'get', path: '/readyz', operationId: 'ready', summary: 'Check whether the gateway can serve', access: 'public', otherResponses: [{ status: 503, description: 'The gateway cannot serve, or is draining.' }], response: readiness, handle: ready }),
  route({ method: 'get', path: '/openapi-public.json', operationId: 'getPublicDocument', summary: 'This description', access: 'public', hasEtag: true, response: description, handle: getPublicDocument }),
  route({ method: 'get', path: '/openapi.json', operationId: 'getWholeDocument', summary: 'The description with the control plane', access: 'admin', hasEtag: true, response: description, handle: getWholeDocument }),
  route({ method: 'get', path: '/openapi-me.json', operationId: 'getMeDocument', summary: 'The description of the surface of people', access: 'visitor', hasEtag: true, response: description, handle: getMeDocument }),
  route({ method: 'get', path: '/docs-public', operationId: 'getView', summary: 'An interactive view of this description', access: 'public', hasEtag: true, media: 'text/html', handle: getView }),
  route({ method: 'get', path: '/docs-public/{file}', operationId: 'getViewFile', summary: 'A script or a style of the view', access: 'public', hasEtag: true, params: viewFileParams, media: 'text/*', errors: ['NOT_FOUND'], handle: getViewFile }),
];

/** All routes except chat. Registration, validation and the API description are derived from them. */
export const ROUTES: readonly Route[] = [...PUBLIC_ROUTES, ...ADMIN_ROUTES, ...ME_ROUTES, ...toMeRoutes(PUBLIC_ROUTES)];

/** All routes with chat, whose handlers do not run through `runRoute`. */
export const ALL_ROUTES: readonly RouteSpec[] = [CHAT_ROUTE, ...ROUTES, ME_CHAT_ROUTE];
