import { countHealthy } from '../connections/connection-plan.ts';
import { readHistory } from '../conversation/read-history.ts';
import { MAX_ATTEMPTS, toTimeShare } from '../domain/attempts.ts';
import { pickPassedParameters } from '../domain/passed-parameters.ts';
import { type Deadlines, type TurnFile, type TurnProject, type UpstreamTurn } from '../providers/upstream-turn.ts';
import { type ProjectRow } from '../store/routing-rules.ts';
import { findEarlierFiles, toTurnFile } from './attachments.ts';
import { type TurnDeps } from './turn-deps.ts';
import { type Route } from './route.ts';
import { type TurnContext } from './turn-context.ts';
import { readSources } from '../store/files.ts';

const NO_FILES: readonly TurnFile[] = [];

/** Where a turn goes on upstream. */
export interface UpstreamOrigin {
  /** The state of the conversation before the turn, as the upstream's adapter reported it; empty where it has none. */
  upstreamState: string;
  /** The turn that brought the messages: this one, or the failed one that it repeats. */
  askedTurnId: string;
  /** The id under which the upstream of the attempt knows the turn, or will. */
  upstreamTurnId: string;
}

/** What the deadlines of an attempt depend on. */
export interface AttemptFacts {
  route: Route;
  /** Connections that were tried before. */
  triedConnections: number;
  /** Milliseconds since the turn began. */
  elapsedMs: number;
  /** Of the attempt; empty without a trace. */
  traceparent: string;
}

/** An attempt as its adapter gets it. */
export function toUpstreamTurn(deps: TurnDeps, context: TurnContext, origin: UpstreamOrigin, attempt: AttemptFacts): UpstreamTurn {
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

/** An attempt has its share of the time in which the turn is to be accepted. */
function toDeadlines({ limits }: TurnDeps, { route: { plan, connection }, triedConnections, elapsedMs }: AttemptFacts): Deadlines {
  const { acceptanceMs, silenceMs } = limits;
  const attemptsLeft = plan ? Math.max(1, Math.min(MAX_ATTEMPTS - triedConnections, countHealthy(plan))) : 1;
  const { usualMs } = connection;
  return {
    acceptanceMs: toTimeShare({ budgetMs: acceptanceMs, elapsedMs, attemptsLeft, usualMs }),
    answerMs: toTimeShare({ budgetMs: acceptanceMs + silenceMs, elapsedMs, attemptsLeft, usualMs }),
    silenceMs,
  };
}

/** The project of a turn as adapters take it; its files are read when one asks for them. */
function toTurnProject({ store }: Pick<TurnDeps, 'store'>, project: ProjectRow | undefined): TurnProject | undefined {
  if (!project) return undefined;
  const { id, upstreamRef, name, instructions, memoryPolicy } = project;
  return { id, upstreamRef, name, instructions, memoryPolicy, sources: (maxText) => readSources(store.database, id, maxText) };
}
