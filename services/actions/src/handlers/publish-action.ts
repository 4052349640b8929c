import { type Action, type ActionDocument } from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { checkDocument } from '../document/check-document.ts';
import { computeDigest } from '../document/digest.ts';
import { type Finding } from '../document/finding-reporter.ts';
import { findAction } from '../store/actions.ts';
import { publishVersion } from '../store/publish-version.ts';
import { toAction } from './action-view.ts';

/** The number of findings in an error message. */
const MAX_SHOWN = 5;

/** Publishes a document as the current version of its action, which new runs execute. @throws VALIDATION_ERROR with the findings */
export async function publishAction({ store: { database } }: Deps, request: ActionDocument): Promise<Action> {
  const { compilation, findings } = checkDocument(request);
  if (!compilation) throw refusal(findings);
  const { workflow, document, sources } = compilation;
  await publishVersion(database, { workflow, document, sources, digest: computeDigest({ document, sources }) });
  const action = await findAction(database, workflow.slug);
  if (!action) throw new GatewayError('SERVICE_UNAVAILABLE', 'the action was removed at this moment');
  return toAction(action);
}

function refusal(findings: readonly Finding[]): GatewayError {
  const shown = findings.slice(0, MAX_SHOWN).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = findings.length > MAX_SHOWN ? ` And ${findings.length - MAX_SHOWN} more.` : '';
  return new GatewayError('VALIDATION_ERROR', `the document cannot be published. ${shown.join(' ')}${more}`, { param: 'document' });
}
