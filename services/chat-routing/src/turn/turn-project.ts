import { type TurnProject } from '../providers/upstream-turn.ts';
import { type ProjectRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';

/** The project of a turn as adapters take it; its files are read when one asks for them. */
export function turnProjectOf({ files }: Pick<TurnDeps, 'files'>, project: ProjectRow | undefined): TurnProject | undefined {
  if (!project) return undefined;
  const { id, upstreamRef, name, instructions, memoryPolicy } = project;
  return { id, upstreamRef, name, instructions, memoryPolicy, sources: (maxText) => files.readSources(id, maxText) };
}
