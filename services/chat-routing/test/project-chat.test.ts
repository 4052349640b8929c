import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Project } from '@parley/protos/routing/v1/project';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { connectAccount } from './fixture.ts';
import { answering } from './openai-script.ts';
import { openProjectFixture, type ProjectFixture } from './project-fixture.ts';

describe('chat in a project', () => {
  let all: ProjectFixture;
  let emulating: Connection;
  beforeAll(async () => {
    all = await openProjectFixture();
    all.fixture.upstream.script = answering('');
    emulating = await connectAccount(all.fixture, all.running, all.client.caller, { label: 'emulating' });
  });
  afterAll(() => all.fixture.close());
  beforeEach(async () => {
    const openai = answering('Hi');
    all.fixture.upstream.script = (received) => (received.path.startsWith('/v1/') ? openai(received) : all.script.serve(received));
    all.fixture.upstream.received.length = 0;
    all.script.chat.asked.length = 0;
    await all.fixture.sql.query('DELETE FROM upstream_projects');
  });

  const bind = (project: Project, over: { bound?: boolean; isDefault?: boolean }) =>
    all.running.stub.bindProject({ projectId: project.id, ...over }, all.init);
  const chats = () =>
    all.fixture.upstream.received.filter(({ path }) => path === '/v1/chat/completions').map(({ body }) => body['messages']);
  const inConversation = async (upstreamProjectId: string, over = {}) =>
    (
      await all.running.stub.createConversation(
        { title: '', upstreamAccountId: '', upstreamProjectId, model: '', imported: [], ...over },
        all.init,
      )
    ).id;

  it('begins in the project upstream, by its slug and by its id, and continues in its conversation', async () => {
    const project = await all.create();
    const upstreamRef = [...all.script.projects.keys()].at(-1);
    const first = await all.client.turn('one', { upstreamProject: project.slug });
    expect(first.error).toBeUndefined();
    const conversationId = first.accepted?.conversationId ?? '';
    expect(all.fixture.conversation.conversations.get(conversationId)).toMatchObject({ upstreamProjectId: project.id });
    expect((await all.client.turn('two', { conversationId })).error).toBeUndefined();
    expect((await all.client.turn('three', { conversationId: await inConversation(project.id) })).error).toBeUndefined();
    expect(all.script.chat.asked.map(({ body }) => body['project_id'])).toEqual([upstreamRef, undefined, upstreamRef]);
  });

  it('outside a project names none', async () => {
    await all.client.turn('one', { upstreamAccount: 'main' });
    expect(all.script.chat.asked.map(({ body }) => 'project_id' in body)).toEqual([false]);
  });

  it('is refused in a conversation whose project is deleted, here or upstream', async () => {
    const project = await all.create();
    const conversationId = await inConversation(project.id);
    all.script.chat.refusal = { status: 404, code: 'project_not_found' };
    const refused = await all.client.turn('gone upstream', { conversationId });
    all.script.chat.refusal = undefined;
    expect(refused.error).toMatchObject({ condition: 'CONVERSATION_PROJECT_UNAVAILABLE' });
    const another = await inConversation(project.id);
    await all.running.stub.deleteProject({ projectId: project.id }, all.init);
    await expect(all.client.refusal({ conversationId: another })).resolves.toBe('CONVERSATION_PROJECT_UNAVAILABLE');
    await expect(all.client.refusal({ upstreamProject: project.slug })).resolves.toBe('UPSTREAM_PROJECT_NOT_FOUND');
  });

  describe('that was registered', () => {
    const register = (upstreamReference: string) =>
      all.running.stub.registerProject({ upstreamAccountId: all.account.id, upstreamReference }, all.init);
    beforeEach(() => {
      all.script.projects.set('sp_theirs', { id: 'sp_theirs', name: 'Theirs', instructions: 'Be kind.', memory_policy: 'project_only' });
    });

    it('is out of scope until it is bound, and again when it is unbound', async () => {
      const project = await register('sp_theirs');
      expect(project).toMatchObject({
        ...{ name: 'Theirs', slug: 'theirs', instructions: 'Be kind.', bound: false },
        ...{ effectiveMemoryPolicy: 'project_only', memoryPolicyStatus: 'verified' },
      });
      const refusal = () => all.client.refusal({ upstreamProject: 'theirs' });
      await expect(refusal()).resolves.toBe('UPSTREAM_PROJECT_OUT_OF_SCOPE');
      await expect(inConversation(project.id)).rejects.toMatchObject({ condition: 'UPSTREAM_PROJECT_OUT_OF_SCOPE' });
      await expect(bind(project, { bound: true })).resolves.toMatchObject({ bound: true });
      await expect(refusal()).resolves.toBe('');
      expect(all.script.chat.asked.at(-1)?.body).toMatchObject({ project_id: 'sp_theirs' });
      await expect(bind(project, { bound: false })).resolves.toMatchObject({ bound: false });
      await expect(refusal()).resolves.toBe('UPSTREAM_PROJECT_OUT_OF_SCOPE');
    });

    it('must be there, on an account that keeps projects, and not be known yet', async () => {
      await expect(register('sp_nowhere')).rejects.toMatchObject({ condition: 'UPSTREAM_PROJECT_NOT_FOUND', param: 'upstream_reference' });
      await expect(register('')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'upstream_reference' });
      const emulated = all.running.stub.registerProject({ upstreamAccountId: emulating.id, upstreamReference: 'x' }, all.init);
      await expect(emulated).rejects.toMatchObject({ condition: 'UPSTREAM_PROJECT_NOT_FOUND' });
      await register('sp_theirs');
      Object.assign(all.script.projects.get('sp_theirs') ?? {}, { name: 'Renamed' });
      await expect(register('sp_theirs')).rejects.toMatchObject({ condition: 'PROJECT_ALREADY_EXISTS' });
    });
  });

  describe('that is required', () => {
    it('goes to the default project, of which there is one at most', async () => {
      const one = await all.create({ name: 'One' });
      const two = await all.create({ name: 'Two' });
      await bind(one, { isDefault: true });
      await expect(bind(two, { isDefault: true })).resolves.toMatchObject({ isDefault: true });
      await expect(all.running.stub.getProject({ projectId: one.id }, all.init)).resolves.toMatchObject({ isDefault: false });
      const { accepted } = await all.client.turn('hello', { requireProject: true });
      const projectOf = (id: string | undefined) => all.fixture.conversation.conversations.get(id ?? '')?.upstreamProjectId;
      expect(projectOf(accepted?.conversationId)).toBe(two.id);
      expect(projectOf(await inConversation('', { requireProject: true }))).toBe(two.id);
      expect(projectOf((await all.client.turn('x', { requireProject: true, upstreamProject: 'one' })).accepted?.conversationId)).toBe(
        one.id,
      );
    });

    it('is refused where there is no default one, or none that is active and bound', async () => {
      const refusals = async () => [
        await all.client.refusal({ requireProject: true }),
        await inConversation('', { requireProject: true }).catch((error: { condition: string }) => error.condition),
      ];
      const none = ['UPSTREAM_PROJECT_NOT_CONFIGURED', 'UPSTREAM_PROJECT_NOT_CONFIGURED'];
      const project = await all.create();
      await expect(refusals()).resolves.toEqual(none);
      await bind(project, { isDefault: true });
      await bind(project, { bound: false });
      await expect(refusals()).resolves.toEqual(none);
      await expect(bind(project, { isDefault: true })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'is_default' });
      await bind(project, { bound: true, isDefault: true });
      await all.running.stub.deleteProject({ projectId: project.id }, all.init);
      await expect(refusals()).resolves.toEqual(none);
    });

    it('has one default however many are named at once', async () => {
      const projects = await Promise.all(['A', 'B', 'C', 'D'].map((name) => all.create({ name })));
      await Promise.all(projects.map((project) => bind(project, { isDefault: true })));
      const { projects: now } = await all.running.stub.listProjects({ search: '', limit: 50, offset: 0 }, all.init);
      expect(now.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    });
  });

  describe('that is emulated', () => {
    const emulated = (over = {}) => all.create({ upstreamAccountId: emulating.id, ...over });

    it.each([
      ['', 'provider_default', 'emulated'],
      ['project_only', 'project_only', 'emulated'],
      ['account_connected', 'project_only', 'unavailable'],
    ])('has the policy %j as %s, %s', async (memoryPolicy, effectiveMemoryPolicy, memoryPolicyStatus) => {
      await expect(emulated({ memoryPolicy })).resolves.toMatchObject({ effectiveMemoryPolicy, memoryPolicyStatus });
    });

    it('is left to an account that can keep to the policy, where there is one', async () => {
      for (const name of ['A', 'B', 'C', 'D']) {
        const made = await all.create({ name, memoryPolicy: 'account_connected', upstreamAccountId: '' });
        expect(made).toMatchObject({ upstreamAccountId: all.account.id, memoryPolicyStatus: 'verified' });
      }
    });

    it('sends current instructions and files with every turn, before the messages', async () => {
      const project = await emulated({ instructions: 'Answer in French.' });
      await all.addSource(project, 'launch.txt', 'The launch is in May.');
      await all.addSource(project, 'later.txt', 'Not yet.', { status: 'processing' });
      const { accepted } = await all.client.turn('When?', { upstreamProject: project.slug });
      await all.running.stub.updateProject({ projectId: project.id, instructions: 'Answer in Dutch.' }, all.init);
      await all.client.turn('And then?', { conversationId: accepted?.conversationId ?? '' });
      const system = (text: string) => ({ role: 'system', content: expect.stringContaining(text) });
      expect(chats()).toEqual([
        [system('Answer in French.'), { role: 'user', content: 'When?' }],
        [
          system('Answer in Dutch.'),
          { role: 'user', content: 'When?' },
          { role: 'assistant', content: 'Hi' },
          { role: 'user', content: 'And then?' },
        ],
      ]);
      expect(JSON.stringify(chats()[0])).toContain('The launch is in May.');
      expect(JSON.stringify(chats()[0])).not.toContain('Not yet.');
    });

    it('keeps files within the budget, and notes what was left out', async () => {
      const project = await emulated();
      await all.addSource(project, 'short.txt', 'The code is 4711.');
      await all.addSource(project, 'long.txt', 'lorem ipsum dolor sit amet '.repeat(20_000));
      await all.client.turn('What is the code?', { upstreamProject: project.slug });
      const [[system]] = chats() as [[{ content: string }]];
      expect(system.content).toContain('The code is 4711.');
      expect(system.content).toMatch(/Only the first \d+ characters are shown/);
      expect(system.content.length).toBeLessThan(8_000 * 6);
    });

    it('sends nothing outside the project', async () => {
      await emulated({ instructions: 'Answer in French.' });
      await all.client.turn('hello', { upstreamAccount: 'emulating' });
      expect(chats()).toEqual([[{ role: 'user', content: 'hello' }]]);
    });
  });
});
