import { type Results } from '../results.ts';
import { NOTHING, remarks, times } from './cells.ts';
import { type Goal, GOALS } from './goals.ts';
import { type Table } from './table.ts';

/** Every goal of the scenarios that were run, and whether it was met; undefined when no Parley was measured. */
export function goalTable(results: Results): Table | undefined {
  const ran = (goal: Goal): boolean => results.windows.some(({ kind, target }) => kind === goal.scenario && target === goal.target);
  const goals = GOALS.filter(ran);
  if (goals.length === 0) return undefined;
  return {
    title: 'Goals',
    columns: ['goal', 'target', 'bound', 'measured', 'verdict', 'remarks'],
    rows: goals.map((goal) => {
      const value = goal.measure(results);
      const own = results.windows.filter(({ kind, target }) => kind === goal.scenario && target === goal.target);
      return [goal.text, goal.target, bound(goal), times(value), verdict(goal, value), remarks(own)];
    }),
  };
}

function bound({ atLeast, atMost, aim }: Goal): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast}–${atMost}`;
  const limit = atLeast === undefined ? `≤ ${atMost ?? NOTHING}` : `≥ ${atLeast}`;
  return aim === undefined ? limit : `${limit} (aim ${aim})`;
}

function verdict({ atLeast = -Infinity, atMost = Infinity, aim }: Goal, value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return 'not measured';
  if (value < atLeast || value > atMost) return 'MISSED';
  const isReached = aim !== undefined && (atLeast === -Infinity ? value <= aim : value >= aim);
  return isReached ? 'met, and the aim' : 'met';
}
