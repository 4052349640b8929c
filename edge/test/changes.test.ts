import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import {
  AssetChanged,
  ConversationChanged,
  EventBatch,
  ProjectFilesChanged,
  SpeechJobChanged,
  TurnEnded,
} from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS, NOTICES } from '@parley/protos/subjects';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { captureLog, startFixture, type ErrorBody, type TestFixture } from './harness.ts';
import { operate } from './operator.ts';
import { signInAs, type SignedIn } from './people.ts';

/** A message whose fields all have their defaults. */
const NOTHING = new Uint8Array();
const OTHER_WORKSPACE = '01900000-0000-7000-8000-0000000000f1';

describe('the stream of what changes', () => {
  let fixture: TestFixture;
  let bus: Bus;
  let sql: pg.Pool;
  const opened: { abort: () => void }[] = [];
  beforeAll(async () => {
    fixture = await startFixture();
    bus = connectBus({ url: fixture.config.natsUrl, name: 'test', service: 'test', log: captureLog().log });
    await waitFor(() => bus.connected);
    sql = new pg.Pool({ connectionString: fixture.config.databaseUrl, max: 1 });
    await sql.query(`INSERT INTO edge.workspaces (id, name) VALUES ($1, 'another')`, [OTHER_WORKSPACE]);
  });
  afterAll(async () => {
    for (const { abort } of opened) abort();
    await Promise.all([bus.drain(), sql.end()]);
    await fixture[Symbol.asyncDispose]();
  });

  const member = () => signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
  const asset = (assetId: string, workspaceId = DEFAULT_WORKSPACE_ID) =>
    bus.notify(
      NOTICES.assetChanged,
      AssetChanged.encode({ ...AssetChanged.decode(NOTHING), ...{ assetId, workspaceId, status: 'ready' } }).finish(),
    );

  /** Opens the stream as a page does, and gathers what comes. */
  async function open({ cookie }: SignedIn, query = '', headers: Record<string, string> = {}) {
    const aborting = new AbortController();
    const url = `${fixture.edge.url}/me/v1/events${query}`;
    const response = await fetch(url, { headers: { cookie, ...headers }, signal: aborting.signal });
    const heard = { status: response.status, text: '', isOver: false };
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) heard.text += decoder.decode(chunk, { stream: true });
      heard.isOver = true;
    })().catch(() => undefined);
    const page = {
      heard,
      abort: () => aborting.abort(),
      lastId: () => /^id: (.+)$/gm.exec(heard.text.slice(heard.text.lastIndexOf('id: ')))?.[1],
    };
    opened.push(page);
    return page;
  }

  // The first page of an edge: nothing was read before it.
  it('goes on from its beginning for a page that has received nothing yet', async () => {
    const ada = await member();
    const first = await open(ada);
    await waitFor(() => first.heard.text.includes('event: ready'));
    const [id, missed] = [first.lastId() ?? '', randomUUID()];
    first.abort();
    const other = await open(ada);
    asset(missed);
    await waitFor(() => other.heard.text.includes(missed));
    const again = await open(ada, '', { 'last-event-id': id });
    await waitFor(() => again.heard.text.includes(missed));
    expect(again.heard.text).not.toContain('resync');
  });

  it('has the changes of one’s own workspaces, and of no other', async () => {
    const { heard } = await open(await member());
    const [mine, theirs, last] = [randomUUID(), randomUUID(), randomUUID()];
    asset(mine);
    asset(theirs, OTHER_WORKSPACE);
    asset(last);
    await waitFor(() => heard.text.includes(last));
    expect(heard.text).toContain(
      `event: asset.changed\ndata: {"workspace_id":"${DEFAULT_WORKSPACE_ID}","asset_id":"${mine}","conversation_id":null,"status":"ready"}`,
    );
    expect(heard.text).not.toContain(theirs);
  });

  it('goes on after the last event that was received, without a gap', async () => {
    const ada = await member();
    const first = await open(ada);
    const [seen, missed] = [randomUUID(), randomUUID()];
    asset(seen);
    await waitFor(() => first.heard.text.includes(seen));
    first.abort();
    asset(missed);
    // Another page sees it first, so that it has certainly arrived.
    const other = await open(ada, '', { 'last-event-id': first.lastId() ?? '' });
    await waitFor(() => other.heard.text.includes(missed));
    const again = await open(ada, `?last_event_id=${first.lastId()}`);
    await waitFor(() => again.heard.text.includes(missed));
    expect(again.heard.text).not.toContain(seen);
    expect(again.heard.text).not.toContain('resync');
  });

  it.each(['0-1', 'feedfacecafe-1', 'nonsense'])('begins with resync after an id that it does not know: %s', async (id) => {
    const { heard } = await open(await member(), '', { 'last-event-id': id });
    await waitFor(() => heard.text.includes('event: resync\n'));
  });

  it('shows conversations only to the people in them, and how far a job is to the workspace whose it is', async () => {
    const [ada, bob] = [await member(), await member()];
    const [adaHears, bobHears] = [(await open(ada)).heard, (await open(bob)).heard];
    const [conversationId, jobId, theirs, end] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const conversationChanged = {
      ...ConversationChanged.decode(NOTHING),
      conversationId,
      workspaceId: DEFAULT_WORKSPACE_ID,
      ownerUserId: ada.userId,
      status: 'active',
    };
    const payload = { $case: 'conversationChanged' as const, value: conversationChanged };
    await bus.publish(EVENT_SUBJECTS.conversationUpdated, EventBatch.encode({ events: [{ id: randomUUID(), payload }] }).finish());
    const job = { ...SpeechJobChanged.decode(NOTHING), keyId: randomUUID(), status: 'processing', progress: 40 };
    for (const [id, workspaceId] of [[jobId, DEFAULT_WORKSPACE_ID] as const, [theirs, OTHER_WORKSPACE] as const]) {
      bus.notify(NOTICES.speechJobChanged, SpeechJobChanged.encode({ ...job, jobId: id, workspaceId }).finish());
    }
    asset(end);
    await waitFor(() => [adaHears, bobHears].every(({ text }) => text.includes(end)) && adaHears.text.includes(conversationId));
    expect(bobHears.text).not.toContain(conversationId);
    for (const { text } of [adaHears, bobHears]) {
      expect(text).toContain(
        `event: speech_job.changed\ndata: {"workspace_id":"${DEFAULT_WORKSPACE_ID}","job_id":"${jobId}","status":"processing","progress":40}`,
      );
      expect(text).not.toContain(theirs);
    }
  });

  it('tells that the files of a project have moved', async () => {
    const { heard } = await open(await member());
    const projectId = randomUUID();
    bus.notify(NOTICES.projectFilesChanged, ProjectFilesChanged.encode({ projectId, workspaceId: DEFAULT_WORKSPACE_ID }).finish());
    await waitFor(() => heard.text.includes(projectId));
    expect(heard.text).toContain(
      `event: project.changed\ndata: {"workspace_id":"${DEFAULT_WORKSPACE_ID}","project_id":"${projectId}","status":"active"}`,
    );
  });

  it('sums up what was counted, for those who may read the usage of the workspace', async () => {
    // A workspace of its own: requests that are refused elsewhere in this file are counted, too.
    const workspaceId = randomUUID();
    await sql.query(`INSERT INTO edge.workspaces (id, name) VALUES ($1, 'counted')`, [workspaceId]);
    const [boss, hand] = [
      await signInAs(fixture, { roles: { [workspaceId]: 'admin' } }),
      await signInAs(fixture, { roles: { [workspaceId]: 'member' } }),
    ];
    const [bossHears, handHears] = [(await open(boss)).heard, (await open(hand)).heard];
    const turn = (tokensOut: number) => ({
      id: randomUUID(),
      payload: {
        $case: 'turnEnded' as const,
        value: {
          ...TurnEnded.decode(NOTHING),
          workspaceId,
          keyId: randomUUID(),
          conversationId: randomUUID(),
          tokensIn: 1,
          tokensOut,
        },
      },
    });
    await bus.publish(EVENT_SUBJECTS.turnCompleted, EventBatch.encode({ events: [turn(2), turn(3)] }).finish());
    await waitFor(() => bossHears.text.includes('usage.changed'));
    expect(bossHears.text).toContain(`{"workspace_id":"${workspaceId}","requests":2,"tokens_in":2,"tokens_out":5}`);
    const end = randomUUID();
    asset(end, workspaceId);
    await waitFor(() => handHears.text.includes(end));
    expect(handHears.text).not.toContain('usage.changed');
  });

  it('shows a workspace one is no member of to a role for the whole gateway only', async () => {
    const [auditor, hand] = [await signInAs(fixture, { instanceRole: 'auditor' }), await member()];
    for (const query of [`?workspace_id=${OTHER_WORKSPACE}`, '?workspace_id=all']) {
      const refused = await hand.call<ErrorBody>('GET', `/me/v1/events${query}`);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
      const { heard } = await open(auditor, query);
      bus.notify(NOTICES.connectionChanged, Buffer.from(OTHER_WORKSPACE));
      await waitFor(() => heard.text.includes(`event: connection.changed\ndata: {"workspace_id":"${OTHER_WORKSPACE}"}`));
    }
  });

  it('ends with the session', async () => {
    const ada = await member();
    const { heard } = await open(ada);
    await operate(fixture, 'PATCH', `users/${ada.userId}`, { status: 'disabled' });
    await waitFor(() => heard.isOver);
    expect(heard.text).toContain('event: session_ended\n');
  });

  it('is open at most twenty times for one person', async () => {
    const ada = await member();
    const pages = await Promise.all(Array.from({ length: 20 }, () => open(ada)));
    expect(pages.map(({ heard }) => heard.status)).toEqual(Array(20).fill(200));
    expect((await ada.call<ErrorBody>('GET', '/me/v1/events')).status).toBe(429);
    for (const { abort } of pages) abort();
    await waitFor(async () => {
      const page = await open(ada);
      page.abort();
      return page.heard.status === 200;
    });
  });
});
