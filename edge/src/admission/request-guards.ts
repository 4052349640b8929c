import { type Authenticate } from '../keys/authenticate.ts';
import { type BytesInWork } from '../middleware/bytes-in-work.ts';
import { type OperatorGuesses } from '../middleware/operator-guesses.ts';
import { type Throttle } from '../middleware/throttle.ts';
import { type WorkspaceBound } from '../middleware/workspace-bound.ts';
import { type Reserve } from '../quota/quota-keeper.ts';

/** The limits and checks that every operation shares. */
export interface RequestGuards {
  authenticate: Authenticate;
  /** Limits how many keys one address may try on the operator's surface. */
  guesses: Pick<OperatorGuesses, 'admit' | 'record'>;
  throttle: Throttle;
  /** Limits the concurrent requests of a workspace. */
  workspaces: WorkspaceBound;
  /** Limits the memory that large bodies take. */
  bodies: BytesInWork;
  /** Reserves what a request will take of the quotas of its key and workspace. */
  reserve: Reserve;
}
