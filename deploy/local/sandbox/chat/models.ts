import { sendJson } from '../http/respond.ts';
import { type Exchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';

/** Both answer alike. */
export const MODELS = ['sandbox-1', 'sandbox-mini'] as const;

/** @throws SandboxError 404 `model_not_found` */
export function checkModel(model: string): void {
  if (!MODELS.some((known) => known === model)) throw new SandboxError(404, 'model_not_found', 'there is no such model');
}

/** `GET /api/models`. */
export function listModels({ res }: Exchange): void {
  sendJson(res, 200, { models: MODELS.map((id) => ({ id })) });
}
