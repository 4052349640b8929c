import { randomUUID } from 'node:crypto';
import { checkModel } from '../chat/models.ts';
import { planDelivery } from '../chat/turns.ts';
import { replyTo } from '../engine/reply.ts';
import { admit, watch } from '../faults/admission.ts';
import { deliver } from '../generation/delivery.ts';
import { Generation, type Plan } from '../generation/generation.ts';
import { readJson } from '../http/read-json.ts';
import { type Exchange } from '../http/router.ts';
import { sendJson } from '../http/respond.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { completionRequestSchema, sharedFiles, threadFrom, type CompletionRequest } from './completion-request.ts';
import { openaiErrors } from './errors.ts';
import { completionFrames, usageFor } from './frames.ts';
import { sendWhole, whenOver } from './whole.ts';

function limited(plan: Plan, { max_completion_tokens: newer, max_tokens: older }: CompletionRequest): Plan {
  const limit = newer ?? older ?? Infinity;
  return plan.pieces.length <= limit ? plan : { pieces: plan.pieces.slice(0, limit), ending: { reason: 'length' } };
}

/** `POST /v1/chat/completions`: stateless; stops generating the reply when the client disconnects. */
export async function createChatCompletion({ sandbox, req, res }: Exchange, account: AccountState): Promise<void> {
  watch(res, account);
  const request = await readJson(req, completionRequestSchema);
  checkModel(request.model);
  const admission = await admit(res, account);
  if (admission === undefined) return;
  account.counters.turnsAccepted++;
  const thread = threadFrom(request);
  const generation = Generation.start(
    limited(planDelivery(replyTo(thread, { projectFiles: sharedFiles(thread), memories: [] }), admission.reply), request),
    sandbox.pacing,
  );
  res.once('close', () => generation.stop());
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: request.model };
  const usage = (done: Generation) => usageFor(thread, done);
  if (request.stream === true) {
    deliver(res, generation, completionFrames(head, request.stream_options?.include_usage === true ? usage : undefined), admission.wire);
    return;
  }
  whenOver(generation, () => {
    const { reason = 'stop', error } = generation.ending ?? {};
    if (error !== undefined) return sendJson(res, 500, openaiErrors(new SandboxError(500, error.code, error.message)));
    const message = { role: 'assistant', content: generation.text, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: reason }];
    sendWhole(res, { ...head, object: 'chat.completion', choices, usage: usage(generation) }, admission.wire);
  });
}
