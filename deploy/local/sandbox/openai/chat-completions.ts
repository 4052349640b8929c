import { randomUUID } from 'node:crypto';
import { checkModel } from '../chat/models.ts';
import { createReplyPlan } from '../chat/turns.ts';
import { generateReply } from '../engine/generate-reply.ts';
import { admitChatRequest, trackOpenStream } from '../faults/chat-faults.ts';
import { Generation, type ReplyPlan } from '../generation/generation.ts';
import { streamGeneration } from '../generation/stream-generation.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { completionRequestSchema, listInstructionFiles, messagesToThread, type CompletionRequest } from './completion-request.ts';
import { formatOpenaiError } from './errors.ts';
import { createCompletionFrames, computeCompletionUsage } from './frames.ts';
import { sendCompletion, onGenerationEnd } from './send-completion.ts';

function limited(plan: ReplyPlan, { max_completion_tokens: newer, max_tokens: older }: CompletionRequest): ReplyPlan {
  const limit = newer ?? older ?? Infinity;
  return plan.pieces.length <= limit ? plan : { pieces: plan.pieces.slice(0, limit), ending: { reason: 'length' } };
}

/** `POST /v1/chat/completions`: stateless; stops generating the reply when the client disconnects. */
export async function createChatCompletion({ sandbox, req, res }: HttpExchange, account: AccountState): Promise<void> {
  trackOpenStream(res, account);
  const request = await readJson(req, completionRequestSchema);
  checkModel(request.model);
  const admission = await admitChatRequest(res, account);
  if (admission === undefined) return;
  account.counters.turnsAccepted++;
  const thread = messagesToThread(request);
  const generation = Generation.start(
    limited(createReplyPlan(generateReply(thread, { projectFiles: listInstructionFiles(thread), memories: [] }), admission.reply), request),
    sandbox.pacing,
  );
  res.once('close', () => generation.stop());
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: request.model };
  const usage = (done: Generation) => computeCompletionUsage(thread, done);
  if (request.stream === true) {
    streamGeneration(
      res,
      generation,
      createCompletionFrames(head, request.stream_options?.include_usage === true ? usage : undefined),
      admission.wire,
    );
    return;
  }
  onGenerationEnd(generation, () => {
    const { reason = 'stop', error } = generation.ending ?? {};
    if (error !== undefined) return sendJson(res, 500, formatOpenaiError(new SandboxError(500, error.code, error.message)));
    const message = { role: 'assistant', content: generation.text, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: reason }];
    sendCompletion(res, { ...head, object: 'chat.completion', choices, usage: usage(generation) }, admission.wire);
  });
}
