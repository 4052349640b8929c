/** JetStream stream with every durable event of the gateway. */
export const EVENT_STREAM = 'PARLEY_EVENTS';

/** Durable events: `parley.<service>.<noun>.<verb>`, published from an outbox, payload `parley.events.v1.EventBatch`. */
export const EVENT_SUBJECTS = {
  turnCompleted: 'parley.conversation.turn.completed',
  turnFailed: 'parley.conversation.turn.failed',
  turnInterrupted: 'parley.conversation.turn.interrupted',
  conversationCreated: 'parley.conversation.conversation.created',
  conversationUpdated: 'parley.conversation.conversation.updated',
  conversationArchived: 'parley.conversation.conversation.archived',
  conversationRestored: 'parley.conversation.conversation.restored',
  conversationDeleted: 'parley.conversation.conversation.deleted',
  conversationShared: 'parley.conversation.conversation.shared',
  conversationTransferred: 'parley.conversation.conversation.transferred',
  conversationContinuityChanged: 'parley.conversation.conversation.continuity_changed',
  assetDiscovered: 'parley.asset.asset.discovered',
  assetProcessing: 'parley.asset.asset.processing',
  assetReady: 'parley.asset.asset.ready',
  assetFailed: 'parley.asset.asset.failed',
  projectCreated: 'parley.routing.project.created',
  projectUpdated: 'parley.routing.project.updated',
  projectDeleted: 'parley.routing.project.deleted',
  speechJobQueued: 'parley.audio.job.queued',
  speechJobCompleted: 'parley.audio.job.completed',
  speechJobFailed: 'parley.audio.job.failed',
  speechJobCancelled: 'parley.audio.job.cancelled',
  speechCompleted: 'parley.audio.speech.completed',
  speechFailed: 'parley.audio.speech.failed',
  transcriptionCompleted: 'parley.audio.transcription.completed',
  transcriptionFailed: 'parley.audio.transcription.failed',
  actionRunAccepted: 'parley.actions.run.accepted',
  actionRunEnded: 'parley.actions.run.ended',
  requestRefused: 'parley.edge.request.refused',
} as const;

/** Subject filters of consumers, one for each kind of event. */
export const EVENT_FILTERS = {
  turns: 'parley.conversation.turn.*',
  conversations: 'parley.conversation.conversation.*',
  assets: 'parley.asset.asset.*',
  projects: 'parley.routing.project.*',
  speechJobs: 'parley.audio.job.*',
  speeches: 'parley.audio.speech.*',
  transcriptions: 'parley.audio.transcription.*',
  actionRuns: 'parley.actions.run.*',
  refusals: 'parley.edge.request.*',
} as const;

/** The event stream as every publisher and consumer declares it; the limits are the kit's defaults. */
export const EVENT_STREAM_DECLARATION = { name: EVENT_STREAM, subjects: Object.values(EVENT_FILTERS) };

/** Core NATS notices without delivery guarantee: every reader also polls or caches for a short time only. */
export const NOTICES = {
  keyChanged: 'parley.edge.key.changed',
  /** A user stops an answer; payload: the id of the user and the idempotency key of the request, separated by a space. */
  answerStopped: 'parley.edge.answer.stopped',
  connectionChanged: 'parley.routing.connection.changed',
  /** Files of an upstream project were added, removed or read, or could not be read; payload `parley.events.v1.ProjectFilesChanged`. */
  projectFilesChanged: 'parley.routing.project_files.changed',
  /** A transition of an asset's status; payload `parley.events.v1.AssetChanged`. */
  assetChanged: 'parley.asset.lifecycle.changed',
  /** A transition of a speech job's status, and its progress about once a second; payload `parley.events.v1.SpeechJobChanged`. */
  speechJobChanged: 'parley.audio.lifecycle.changed',
  /** A new event of a run; payload `parley.events.v1.ActionRunChanged`. */
  actionRunChanged: 'parley.actions.lifecycle.changed',
} as const;
