import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const LISTED = {
  ...{ slug: 'file-a-ticket', title: 'File a ticket', description: 'Files a ticket and checks that it is there.', version: 2 },
  ...{ status: 'active', risk: 'write', requires_connection: true, published_at: SAMPLE.time },
};
/** Example of an action with its inputs and outputs. */
export const ACTION_SAMPLE = {
  ...LISTED,
  inputs: [{ name: 'title', type: 'string', required: true, description: 'What it is about.' }],
  outputs: ['ticket_id'],
  ...{ step_count: 2, created_at: SAMPLE.time },
};
const ASSET = {
  ...{ asset_id: SAMPLE.asset, filename: 'report.pdf', mime_type: 'application/pdf', size_bytes: 48_213 },
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ...{ action: 'summarise-document', run_id: null, expires_at: '2026-11-21T09:30:00.000Z', created_at: SAMPLE.time },
};
const ACCEPTED = {
  ...{ id: SAMPLE.run, action: 'file-a-ticket', version: 2, status: 'accepted', verdict: null, output: null, error: null },
  ...{ connection_id: SAMPLE.account, effects: [], created_at: SAMPLE.time, updated_at: SAMPLE.time, started_at: null, ended_at: null },
};
const SUCCEEDED = {
  ...{ ...ACCEPTED, status: 'succeeded', verdict: 'passed', output: { ticket_id: 'T-1042' } },
  effects: [{ step_id: 'file', risk: 'write', outcome: 'applied', at: SAMPLE.later }],
  ...{ updated_at: SAMPLE.later, started_at: SAMPLE.time, ended_at: SAMPLE.later },
};
const EVENT = { sequence: 3, type: 'step.succeeded', step_id: 'file', data: { status_code: 201 }, at: SAMPLE.later };

/** Descriptions and examples of the operations on actions. */
export const ACTION_DETAILS: DetailsByOperationId = {
  listActions: { description: 'A listed action may still reject a run.', response: [LISTED] },
  getAction: { description: 'Inputs and outputs by name and type.', response: ACTION_SAMPLE },
  createActionAsset: {
    description: 'One run can use the file, which expires after a day by default.',
    request: { file: 'the bytes of report.pdf' },
    response: ASSET,
  },
  listActionAssets: { description: 'Files of the workspace, newest first, used and expired ones included for a while.', response: [ASSET] },
  createActionRun: {
    description:
      '`accepted` does not mean success: check `status` and `verdict`. Send the same `idempotency_key` to reconcile one run, a new one for a new operation.',
    request: { input: { title: 'The door is stuck' }, connection_id: SAMPLE.account, idempotency_key: 'ticket-42' },
    response: ACCEPTED,
  },
  listActionRuns: { description: 'Of the workspace, the newest first.', response: [SUCCEEDED] },
  getActionRun: {
    description: '`needs_review` is not success: a write may have happened, and the gateway cannot find out.',
    response: SUCCEEDED,
  },
  listActionRunEvents: {
    description:
      'A page of events after a `sequence`. With `Accept: text/event-stream` all of them and what is still to come, until the run has ended; ' +
      'each event has its `sequence` as the id, so that `Last-Event-ID` continues a broken stream.',
    response: [EVENT],
    events: { event: { summary: 'The data of an event', value: EVENT } },
  },
  cancelActionRun: {
    description: 'Stops between two steps, or in a wait. Changes in other systems stay, and are listed in `effects`.',
    response: { ...ACCEPTED, status: 'cancelling' },
  },
};
