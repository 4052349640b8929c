import { uuidv7 } from '@parley/kit/ids/uuid';
import { type CallInit } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EventBatch, type ProjectChanged } from '@parley/protos/events/v1/events';
import { type CreateProjectRequest, type Project } from '@parley/protos/routing/v1/project';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { type Client } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { ProjectScript } from './project-script.ts';

/** An event of a project. */
interface ReceivedEvent {
  subject: string;
  change: ProjectChanged;
}

/** A fixture whose upstream keeps projects, and a workspace with an account of it. */
export interface ProjectFixture {
  fixture: TestFixture;
  running: Running;
  client: Client;
  script: ProjectScript;
  account: Connection;
  init: CallInit;
  /** Connects another account of that upstream. */
  connect(label: string, of?: Client): Promise<Connection>;
  create(over?: Partial<CreateProjectRequest>): Promise<Project>;
  /** The events of a project, once there are so many. */
  eventsOf(projectId: string, times: number): Promise<ReceivedEvent[]>;
  /** Gives a project a file, as an upload does. */
  addSource(
    project: Project,
    name: string,
    text: string,
    over?: { status?: string; upstreamRef?: string },
  ): Promise<{ id: string; assetId: string }>;
}

/** Opens it. */
export async function openProjectFixture(): Promise<ProjectFixture> {
  const fixture = await openFixture();
  const script = new ProjectScript();
  fixture.upstream.script = script.serve;
  const running = await fixture.start();
  const received: ReceivedEvent[] = [];
  const events = { stream: EVENT_STREAM, filterSubject: EVENT_FILTERS.projects, durable: `projects-${uuidv7()}` };
  fixture.bus.consume({
    ...events,
    handler: (bytes, { subject }) => {
      for (const { payload } of EventBatch.decode(bytes).events)
        if (payload?.$case === 'projectChanged') received.push({ subject: subject.replace(/^.*?(?=parley\.)/, ''), change: payload.value });
    },
  });
  const client = running.as(newCaller());
  const init = { caller: client.caller, deadlineMs: 20_000 };
  const connect = (label: string, of = client) =>
    connectAccount(fixture, running, of.caller, {
      ...{ provider: 'sandbox', label, account: label, baseUrl: fixture.upstream.url, secret: 'right', models: [] },
    });
  const account = await connect('main');
  return {
    ...{ fixture, running, client, script, account, init, connect },
    create: (over = {}) => running.stub.createProject({ name: 'Apollo', memoryPolicy: '', upstreamAccountId: account.id, ...over }, init),
    eventsOf: async (projectId, times) => {
      const of = () => received.filter(({ change }) => change.projectId === projectId);
      await waitFor(() => of().length >= times);
      return of();
    },
    addSource: async (project, name, text, { status = 'ready', upstreamRef = '' } = {}) => {
      const [id, assetId] = [uuidv7(), uuidv7()];
      await fixture.sql.query(
        `INSERT INTO upstream_files (id, workspace_id, connection_id, project_id, asset_id, file_name, mime_type, size_bytes, status,
           upstream_ref, prepared_text) VALUES ($1, $2, $3, $4, $5, $6, 'text/plain', $7, $8, $9, $10)`,
        [id, client.caller.workspaceId, project.upstreamAccountId, project.id, assetId, name, text.length, status, upstreamRef, text],
      );
      return { id, assetId };
    },
  };
}
