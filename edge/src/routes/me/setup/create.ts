import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { z } from 'zod';
import { requireStrongPassword } from '../../../identity/require-strong-password.ts';
import { tokenDigest } from '../../../identity/tokens.ts';
import { findOneTimeToken, consumeOneTimeToken } from '../../../store/one-time-tokens.ts';
import { hasOwner, lockOwners } from '../../../store/owners.ts';
import { FIRST_OWNER_MEMBERSHIP, insertPerson } from '../../../store/people.ts';
import { type currentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { email, linkToken, name, password } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { beginSession } from '../begin-session.ts';
import { linkNotValidError } from '../link-not-valid-error.ts';

/** The token of a setup link, and the data of the first owner. */
export const setUpBody = z.object({ token: linkToken, email, display_name: name, password }).meta({ id: 'SetUp' });

/** Creates the first owner of the gateway, who also becomes owner of the default workspace, and signs them in. */
export async function setUp(
  { body, req, principal }: Input<undefined, undefined, z.output<typeof setUpBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof currentSession>>> {
  const digest = tokenDigest(body.token);
  // A wrong link is rejected before the expensive hash.
  if ((await hasOwner(deps.db)) || !(await findOneTimeToken(deps.db, 'setup', digest))) throw linkNotValidError();
  await requireStrongPassword(body.password, { email: body.email, param: 'password' });
  const passwordHash = await deps.identity.passwords.hash(body.password);
  const id = uuidv7();
  return beginSession({ req, principal }, deps, async (tx) => {
    if (!(await consumeOneTimeToken(tx, 'setup', digest))) throw linkNotValidError();
    await lockOwners(tx);
    if (await hasOwner(tx)) throw linkNotValidError();
    const { email: address, display_name: displayName } = body;
    await insertPerson(tx, { id, displayName, email: address, passwordHash, instanceRole: 'owner', membership: FIRST_OWNER_MEMBERSHIP });
    const details = { instance_role: 'owner', workspace_role: 'owner', by: 'setup link' };
    const change = { action: 'user.create', workspaceId: DEFAULT_WORKSPACE_ID, targetId: id, details };
    return { userId: id, method: 'setup', isStrong: false, changes: [change] };
  });
}
