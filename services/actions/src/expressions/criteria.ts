import { GatewayError } from '@parley/protos/errors';
import { type Criterion } from '../domain/workflow.ts';
import { type EvaluationContext } from './context.ts';

/** Whether a criterion is true; one that cannot be evaluated, because what it looks at is not there, is not. Never throws. */
export function holds(_criterion: Criterion, _context: EvaluationContext): boolean {
  throw new GatewayError('NOT_IMPLEMENTED', 'criteria are not available yet');
}
