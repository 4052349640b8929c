import {
  type Event,
  EventBatch,
  ActionRunChanged,
  AssetChanged,
  ProjectFilesChanged,
  SpeechJobChanged,
} from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, NOTICES } from '@parley/protos/subjects';

/**
 * A changed resource: its kind, who may see the change, and its state. It has no content: a page reads the resource again, with the rights
 * of its person.
 */
export interface ResourceChange {
  kind: 'connection' | 'conversation' | 'asset' | 'project' | 'speech_job' | 'action_run';
  workspaceId: string;
  /** The users who may see the change; undefined for all who may read such resources in the workspace. */
  userIds?: readonly string[];
  /** Id of the API key that the resource belongs to. */
  keyId?: string;
  data: Readonly<Record<string, string | number | null>>;
}

/** Finished work, which is added to the usage of today. */
export interface FinishedWork {
  workspaceId: string;
  keyId: string;
  requests: number;
  tokensIn: number;
  tokensOut: number;
  /** Only for turns. */
  conversationId?: string;
}

/** The changes and the counted work of one bus message. */
export interface DecodedMessage {
  changes: ResourceChange[];
  counted: FinishedWork[];
}

/** Decodes messages of one subject. */
type Read = (bytes: Uint8Array) => DecodedMessage;

const change = (one: ResourceChange): DecodedMessage => ({ changes: [one], counted: [] });

/** The decoder of each bus subject: change notices of resources, and the events that the usage counts. */
export const SUBJECT_DECODERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  [NOTICES.connectionChanged, (bytes) => change({ kind: 'connection', workspaceId: Buffer.from(bytes).toString(), data: {} })],
  [NOTICES.assetChanged, (bytes) => change(toAssetChange(AssetChanged.decode(bytes)))],
  [NOTICES.projectFilesChanged, (bytes) => change(toFilesChange(ProjectFilesChanged.decode(bytes)))],
  [NOTICES.speechJobChanged, (bytes) => change(toJobChange(SpeechJobChanged.decode(bytes)))],
  [NOTICES.actionRunChanged, (bytes) => change(toRunChange(ActionRunChanged.decode(bytes)))],
  ...[
    ...[EVENT_FILTERS.turns, EVENT_FILTERS.conversations, EVENT_FILTERS.projects, EVENT_FILTERS.speechJobs],
    ...[EVENT_FILTERS.speeches, EVENT_FILTERS.transcriptions, EVENT_FILTERS.actionRuns, EVENT_FILTERS.refusals],
  ].map((subject): [string, Read] => [subject, (bytes) => readBatch(EventBatch.decode(bytes).events)]),
]);

function toAssetChange({ assetId, workspaceId, conversationId, status }: AssetChanged): ResourceChange {
  return { kind: 'asset', workspaceId, data: { asset_id: assetId, conversation_id: conversationId || null, status } };
}

function toFilesChange({ projectId, workspaceId }: ProjectFilesChanged): ResourceChange {
  return { kind: 'project', workspaceId, data: { project_id: projectId, status: 'active' } };
}

function toJobChange({ jobId, workspaceId, keyId, status, progress }: SpeechJobChanged): ResourceChange {
  return { kind: 'speech_job', workspaceId, keyId, data: { job_id: jobId, status, progress } };
}

function toRunChange({ runId, workspaceId, keyId, slug, status, sequence }: ActionRunChanged): ResourceChange {
  return { kind: 'action_run', workspaceId, keyId, data: { run_id: runId, slug, status, sequence } };
}

function readBatch(events: readonly Event[]): DecodedMessage {
  const readings = events.map(readEvent);
  return { changes: readings.flatMap(({ changes }) => changes), counted: readings.flatMap(({ counted }) => counted) };
}

const NOTHING: DecodedMessage = { changes: [], counted: [] };

/** Jobs and runs are shown by their notices; their events are only counted, once they have ended. */
function readEvent({ payload }: Event): DecodedMessage {
  switch (payload?.$case) {
    case 'turnEnded': {
      const { workspaceId, keyId, conversationId, tokensIn, tokensOut } = payload.value;
      return count({ workspaceId, keyId, conversationId, tokensIn, tokensOut });
    }
    case 'conversationChanged': {
      const { conversationId, workspaceId, ownerUserId, userId, status, continuityStatus } = payload.value;
      const userIds = [ownerUserId, userId].filter(Boolean);
      const data = { conversation_id: conversationId, status, continuity_status: continuityStatus };
      return change({ kind: 'conversation', workspaceId, userIds, data });
    }
    case 'projectChanged': {
      const { projectId, workspaceId, status } = payload.value;
      return change({ kind: 'project', workspaceId, data: { project_id: projectId, status } });
    }
    case 'requestsRefused':
      return count({ ...payload.value, requests: payload.value.errors + payload.value.rateLimited });
    case 'speechEnded':
    case 'transcriptionEnded':
      return count(payload.value);
    case 'speechJobChanged':
      return payload.value.status === 'queued' ? NOTHING : count(payload.value);
    case 'actionRunChanged':
      return payload.value.status === 'accepted' ? NOTHING : count(payload.value);
    case 'assetChanged':
    case undefined:
      return NOTHING;
  }
}

function count({ workspaceId, keyId, requests = 1, tokensIn = 0, tokensOut = 0, conversationId }: CountedFacts): DecodedMessage {
  const one = { workspaceId, keyId, requests, tokensIn, tokensOut, ...(conversationId !== undefined && { conversationId }) };
  return { changes: [], counted: [one] };
}

type CountedFacts = Pick<FinishedWork, 'workspaceId' | 'keyId'> & Partial<FinishedWork>;
