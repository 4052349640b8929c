import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';

/** The model ids; both behave the same. */
export const MODELS = ['sandbox-1', 'sandbox-mini'] as const;

/** Checks a model id. @throws SandboxError 404 `model_not_found` */
export function checkModel(model: string): void {
  if (!MODELS.some((known) => known === model)) throw new SandboxError(404, 'model_not_found', 'there is no such model');
}

/** `GET /api/models`. */
export function listModels({ res }: HttpExchange): void {
  sendJson(res, 200, { models: MODELS.map((id) => ({ id })) });
}
