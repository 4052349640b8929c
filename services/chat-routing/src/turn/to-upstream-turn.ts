import { countHealthy } from '../connections/connection-plan.ts';
import { readHistory } from '../conversation/read-history.ts';
import { MAX_ATTEMPTS, toAttemptTimeoutMs } from '../domain/attempts.ts';
import { pickPassedParameters } from '../domain/passed-parameters.ts';
import { type Deadlines, type TurnFile, type TurnProject, type UpstreamTurn } from '../providers/upstream-turn.ts';
import { readSources } from '../store/files.ts';
import { type RoutingProject } from '../store/routing-rules.ts';
import { findEarlierFiles, toTurnFile } from './attachments.ts';
import { type Route } from './route.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnDeps } from './turn-deps.ts';

const NO_FILES: readonly TurnFile[] = [];

/** The point at which a turn continues its conversation at the upstream. */
export interface UpstreamContinuation {
  /** Opaque conversation state before the turn, as the provider adapter last reported it; empty when there is none. */
  upstreamState: string;
  /** Id of the turn that added the messages: this one, or the failed one that it repeats. */
  askedTurnId: string;
  /** The turn id that is sent to the upstream of the attempt. */
  upstreamTurnId: string;
}

/** The parts of an upstream request that differ between the attempts of a turn. */
export interface AttemptInput {
  route: Route;
  /** Number of connections that were tried before. */
  triedConnections: number;
  /** Milliseconds since the turn was opened. */
  elapsedMs: number;
  /** W3C `traceparent` of the attempt; empty when the turn is not traced. */
  traceparent: string;
}

/** Builds the request of one attempt for the provider adapter. */
export function toUpstreamTurn(deps: TurnDeps, context: TurnContext, origin: UpstreamContinuation, attempt: AttemptInput): UpstreamTurn {
  const { request, start, messages, route: firstRoute, call } = context;
  const { connection, model, files, project } = attempt.route;
  const { conversationId } = start;
  return {
    turnId: origin.upstreamTurnId,
    repeats: origin.upstreamTurnId !== start.turnId,
    connection: connection.upstream,
    model,
    messages,
    stream: request.stream,
    upstreamState: origin.upstreamState,
    files: files ? files.map((file) => toTurnFile(deps.store.database, file)) : NO_FILES,
    earlierFiles: (ids) => findEarlierFiles(deps.store.database, conversationId, ids),
    project: toTurnProject(deps, project),
    history: () => (firstRoute.binding ? readHistory(deps, { conversationId, beforeTurnId: origin.askedTurnId }, call) : []),
    deadlines: toDeadlines(deps, attempt),
    parameters: pickPassedParameters(connection.row.pass, request.parameters),
    traceparent: attempt.traceparent,
  };
}

/** Divides the remaining acceptance time of the turn among the attempts that are left. */
function toDeadlines({ limits }: TurnDeps, { route: { plan, connection }, triedConnections, elapsedMs }: AttemptInput): Deadlines {
  const { acceptanceMs, silenceMs } = limits;
  const attemptsLeft = plan ? Math.max(1, Math.min(MAX_ATTEMPTS - triedConnections, countHealthy(plan))) : 1;
  const { typicalAcceptMs } = connection;
  return {
    acceptanceMs: toAttemptTimeoutMs({ budgetMs: acceptanceMs, elapsedMs, attemptsLeft, typicalAcceptMs }),
    answerMs: toAttemptTimeoutMs({ budgetMs: acceptanceMs + silenceMs, elapsedMs, attemptsLeft, typicalAcceptMs }),
    silenceMs,
  };
}

/** Converts a project row to the form that provider adapters receive; its files are read on request. */
function toTurnProject({ store }: Pick<TurnDeps, 'store'>, project: RoutingProject | undefined): TurnProject | undefined {
  if (!project) return undefined;
  const { id, upstreamRef, name, instructions, memoryPolicy } = project;
  return { id, upstreamRef, name, instructions, memoryPolicy, sources: (maxText) => readSources(store.database, id, maxText) };
}
