import { makeArtifact } from '../engine/artifacts/make.ts';
import { applyOperationFault } from '../faults/operation-faults.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Artifact } from '../state/artifacts.ts';
import { sendArtifactBytes } from './send-artifact-bytes.ts';

/**
 * `GET /api/artifacts/:id`: sends the bytes, with their type, length and name.
 * @throws SandboxError 404 `artifact_not_found`, 409 `artifact_not_ready`
 */
export async function getArtifact({ sandbox, res, params }: HttpExchange, state: AccountState): Promise<void> {
  const artifact = sandbox.sandboxState.artifacts.get(params.id ?? '');
  if (artifact?.account !== state.account.id) throw new SandboxError(404, 'artifact_not_found', 'there is no such artifact');
  const met = await applyOperationFault('artifacts', res, state);
  if (met === undefined) return;
  if (Date.now() < artifact.at + sandbox.pacing.artifactDelayMs) {
    throw new SandboxError(409, 'artifact_not_ready', 'the artifact is still being made');
  }
  if (await sendArtifactBytes(res, headersOf(artifact), await makeArtifact(artifact.recipe), met)) artifact.downloads++;
}

function headersOf({ mime_type: type, name }: Artifact): Record<string, string> {
  return { 'Content-Type': type, 'X-File-Name': encodeURIComponent(name) };
}
