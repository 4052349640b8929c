import { uuidv7 } from '@parley/kit/ids/uuid';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';

/** Type of a project event. */
export type ProjectEventType = 'created' | 'updated' | 'deleted';

const SUBJECTS: Record<ProjectEventType, string> = {
  created: EVENT_SUBJECTS.projectCreated,
  updated: EVENT_SUBJECTS.projectUpdated,
  deleted: EVENT_SUBJECTS.projectDeleted,
};

/** The project after the change. */
export interface ChangedProject {
  id: string;
  workspaceId: string;
  connectionId: string;
  slug: string;
  status: string;
  updatedAt: Date;
}

/** Builds the outbox event of a change: bus subject and encoded EventBatch. Consecutive batches are merged when published. */
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
