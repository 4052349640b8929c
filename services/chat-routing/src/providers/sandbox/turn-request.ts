import { type HistoryMessage, type Part } from '@parley/protos/conversation/v1/conversation';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { findAttachmentMessageIndex } from '../../domain/messages-after-last-answer.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { type UpstreamState } from './wire.ts';

const NONE: readonly string[] = [];
const NO_REFS: ReadonlyMap<string, string> = new Map();

/** Returns the sandbox's file references for a history that it does not have yet, by file id. */
export async function listEarlierRefs(turn: UpstreamTurn, history: readonly HistoryMessage[]): Promise<ReadonlyMap<string, string>> {
  const ids = history.flatMap(({ files }) => files.map(({ fileId }) => fileId));
  if (ids.length === 0) return NO_REFS;
  return new Map([...(await turn.earlierFiles(ids))].map(([id, { upstreamRef }]) => [id, upstreamRef]));
}

/** Builds the body that appends a turn to the last known message, or creates the conversation with its history. */
export function toSandboxRequest(turn: UpstreamTurn, known: UpstreamState | undefined, history: readonly HistoryMessage[], refs = NO_REFS) {
  const { turnId, repeats, model, messages, files, project } = turn;
  const asked = files.length > 0 ? findAttachmentMessageIndex(messages) : -1;
  const replayed = [
    ...history.map((message) => toTold(message, refs.size > 0 ? listRefs(message, refs) : NONE)),
    ...messages.map((message, at) => toTold(message, at === asked ? files.map(({ upstreamRef }) => upstreamRef) : NONE)),
  ];
  return {
    parent_id: known?.message ?? null,
    client_turn_id: turnId,
    ...(repeats && { again: true }),
    // The project of a conversation is set when it is created.
    ...(project && !known && { project_id: project.upstreamRef }),
    model,
    messages: replayed,
  };
}

function toTold({ role, text, parts }: TurnMessage, attachments: readonly string[]) {
  const message = { role, content: text, images: listImages(parts) };
  return attachments.length > 0 ? { ...message, attachments } : message;
}

function listRefs({ files }: HistoryMessage, refs: ReadonlyMap<string, string>): string[] {
  return files.flatMap(({ fileId }) => refs.get(fileId) ?? []);
}

function listImages(parts: readonly Part[]): string[] {
  return parts.flatMap(({ content }) => (content?.$case === 'imageUrl' ? [content.value] : []));
}
