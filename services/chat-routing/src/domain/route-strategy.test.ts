import { expect, it } from '@jest/globals';
import { requireStrategy, type StrategyFacts } from './route-strategy.ts';

const facts = (over: Partial<StrategyFacts>): StrategyFacts => ({ strategy: '', accountLabels: ['a', 'b'], weights: [], ...over });

it.each<[Partial<StrategyFacts>, string]>([
  [{}, 'priority'],
  [{ accountLabels: [] }, 'least_loaded'],
  [{ strategy: 'priority' }, 'priority'],
  [{ strategy: 'least_loaded' }, 'least_loaded'],
  [{ strategy: 'least_loaded', accountLabels: [] }, 'least_loaded'],
  [{ strategy: 'weighted', weights: [3, 1] }, 'weighted'],
])('%j is %s', (over, strategy) => {
  expect(requireStrategy(facts(over))).toBe(strategy);
});

it.each<[Partial<StrategyFacts>, string]>([
  [{ strategy: 'roulette' }, 'strategy'],
  [{ strategy: 'constructor' }, 'strategy'],
  [{ strategy: 'priority', accountLabels: [] }, 'account_labels'],
  [{ strategy: 'weighted', accountLabels: [] }, 'account_labels'],
  [{ accountLabels: ['a', 'a'] }, 'account_labels'],
  [{ strategy: 'weighted' }, 'weights'],
  [{ strategy: 'weighted', weights: [1] }, 'weights'],
  [{ strategy: 'weighted', weights: [1, 0] }, 'weights'],
  [{ strategy: 'weighted', weights: [1, 1.5] }, 'weights'],
  [{ strategy: 'weighted', weights: [1, 1_001] }, 'weights'],
  [{ strategy: 'least_loaded', weights: [1, 1] }, 'weights'],
  [{ weights: [1, 1] }, 'weights'],
])('refuses %j because of %s', (over, param) => {
  expect(() => requireStrategy(facts(over))).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param }));
});
