import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS } from '@parley/protos/subjects';

/** What can happen to a project. */
export type ProjectEventType = 'created' | 'updated' | 'deleted';

const SUBJECTS: Record<ProjectEventType, string> = {
  created: EVENTS.projectCreated,
  updated: EVENTS.projectUpdated,
  deleted: EVENTS.projectDeleted,
};

/** The project as it is after what happened. */
export interface ChangedProject {
  id: string;
  workspaceId: string;
  connectionId: string;
  slug: string;
  status: string;
  updatedAt: Date;
}

/** The event of a change, as the outbox stores it; consecutive batches are merged into one. */
export function toProjectChangedEvent(
  happening: ProjectEventType,
  project: ChangedProject,
): { id: string; subject: string; payload: Uint8Array } {
  const id = uuidv7();
  const { id: projectId, workspaceId, connectionId, slug, status, updatedAt: at } = project;
  const value = { projectId, workspaceId, connectionId, slug, status, at };
  return {
    id,
    subject: SUBJECTS[happening],
    payload: EventBatch.encode({ events: [{ id, payload: { $case: 'projectChanged', value } }] }).finish(),
  };
}
