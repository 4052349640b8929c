import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import {
  type Action,
  type ActionDocument,
  type ActionsServiceService,
  type CreateRunRequest,
  type Run,
  type RunEvent,
  type SetActionEnabledRequest,
  type SetCohortMemberRequest,
  type VersionRequest,
} from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';

/** A moment. */
export const AT = new Date('2026-01-02T03:04:05.678Z');

/** A published action. */
const ACTION: Action = {
  slug: 'summarise',
  title: 'Summarise a document',
  description: 'Says what a document is about.',
  version: 3,
  status: 'active',
  risk: 'read',
  requiresConnection: false,
  inputs: [{ name: 'document', type: 'file', required: true, description: 'What to read.' }],
  outputs: ['summary'],
  stepCount: 2,
  publishedAt: AT,
  createdAt: AT,
};

/** The actions service, played: it knows one action, and runs that do what a test says. */
export class FakeActions {
  readonly calls: { method: string; request: unknown; call: Call }[] = [];
  readonly runs = new Map<string, { run: Run; workspaceId: string; events: RunEvent[]; complete: boolean }>();
  /** Workspaces that take part. */
  cohort: string[] = [];
  /** Whether runs are taken. */
  isEligible = true;
  /** What every method is refused with. */
  failure: GatewayError | undefined;
  /** What happens before a method answers. */
  before: () => Promise<void> | void = () => undefined;
  /** What the creation of a run is refused with. */
  refusal: GatewayError | undefined;

  /** A run as it was just accepted. */
  accept({ slug, connectionId }: Pick<CreateRunRequest, 'slug' | 'connectionId'>, workspaceId: string): Run {
    const none = { verdict: '', output: '', error: undefined, effects: [], startedAt: undefined, endedAt: undefined };
    const run: Run = { id: uuidv7(), slug, version: 3, status: 'accepted', connectionId, createdAt: AT, updatedAt: AT, ...none };
    this.runs.set(run.id, { run, workspaceId, events: [], complete: false });
    this.happen(run.id, 'run.accepted');
    return run;
  }

  /** Something happens in a run. */
  happen(runId: string, type: string, stepId = '', data = ''): void {
    const one = this.runs.get(runId);
    one?.events.push({ sequence: one.events.length + 1, type, stepId, data, at: AT });
    if (one && type === 'run.ended') one.complete = true;
  }

  handlers(): Partial<Handlers<typeof ActionsServiceService>> {
    return {
      getEligibility: this.#on('getEligibility', () => ({ enabled: this.isEligible, reason: this.isEligible ? '' : 'not_in_cohort' })),
      listActions: this.#on('listActions', () => ({ actions: [ACTION], total: 1 })),
      getAction: this.#on('getAction', ({ slug }: { slug: string }) => this.#known(slug)),
      validateDocument: this.#on('validateDocument', ({ document }: ActionDocument) => ({
        slug: ACTION.slug,
        findings: document.includes('wrong') ? [{ path: '/info', message: "'version' is missing here." }] : [],
      })),
      publishAction: this.#on('publishAction', () => ACTION),
      listVersions: this.#on('listVersions', ({ slug }: { slug: string }) => ({
        versions: [{ version: this.#known(slug).version, publishedAt: AT, isCurrent: true }],
      })),
      getVersion: this.#on('getVersion', ({ slug, version }: VersionRequest) => {
        if (this.#known(slug).version !== version) throw new GatewayError('ACTION_NOT_FOUND', 'no such version');
        const document = { document: '{"arazzo":"1.0.1"}', sources: { tickets: '{"openapi":"3.1.0"}' } };
        return { version: { version, publishedAt: AT, isCurrent: true }, document };
      }),
      listAllActions: this.#on('listAllActions', () => ({ actions: [ACTION], total: 1 })),
      setActionEnabled: this.#on('setActionEnabled', ({ slug, enabled }: SetActionEnabledRequest) => ({
        ...this.#known(slug),
        status: enabled ? 'active' : 'disabled',
      })),
      setCohortMember: this.#on('setCohortMember', ({ workspaceId, member }: SetCohortMemberRequest) => {
        this.cohort = this.cohort.filter((id) => id !== workspaceId).concat(member ? [workspaceId] : []);
        return {};
      }),
      listCohort: this.#on('listCohort', () => ({ workspaceIds: this.cohort })),
      createRun: this.#on('createRun', (request: CreateRunRequest, call) => {
        if (this.refusal) throw this.refusal;
        this.#known(request.slug);
        return this.accept(request, call.caller.workspaceId);
      }),
      listRuns: this.#on('listRuns', (_: unknown, { caller }) => {
        const runs = [...this.runs.values()].filter(({ workspaceId }) => workspaceId === caller.workspaceId).map(({ run }) => run);
        return { runs, total: runs.length };
      }),
      getRun: this.#on('getRun', ({ id }: { id: string }, call) => this.#run(id, call).run),
      cancelRun: this.#on('cancelRun', ({ id }: { id: string }, call) => {
        const { run } = this.#run(id, call);
        if (run.endedAt) throw new GatewayError('ACTION_RUN_NOT_CANCELLABLE', 'it has ended');
        return { ...run, status: 'cancelling' };
      }),
      listRunEvents: this.#on('listRunEvents', ({ id, after, limit }: { id: string; after: number; limit: number }, call) => {
        const { events, complete } = this.#run(id, call);
        const page = events.filter(({ sequence }) => sequence > after).slice(0, limit);
        return { events: page, complete: complete && (page.at(-1)?.sequence ?? after) >= events.length };
      }),
    };
  }

  #known(slug: string): Action {
    if (slug === ACTION.slug) return ACTION;
    throw new GatewayError('ACTION_NOT_FOUND', 'no such action');
  }

  #run(id: string, { caller }: Call) {
    const one = this.runs.get(id);
    if (one?.workspaceId === caller.workspaceId) return one;
    throw new GatewayError('ACTION_RUN_NOT_FOUND', 'no such run');
  }

  #on<Q, A>(method: string, answer: (request: Q, call: Call) => A): (request: Q, call: Call) => Promise<A> {
    return async (request, call) => {
      this.calls.push({ method, request, call });
      await this.before();
      if (this.failure) throw this.failure;
      return answer(request, call);
    };
  }
}
