import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { findAttachmentMessageIndex } from '../../domain/messages-after-last-answer.ts';
import { type CountTokens, truncateToTokenBudget } from '../../domain/truncate-to-token-budget.ts';
import { type TurnFile, type UpstreamTurn } from '../upstream-turn.ts';
import { toFileText, MAX_TOKEN_LENGTH } from './project-preamble.ts';

/** Limits of replayed file contents. */
export interface ReplayBounds {
  count: CountTokens;
  /** Maximum tokens of the texts of all files of a conversation. */
  budget: number;
  /** Whether the model reads files of a MIME type natively; other files are sent as text. @default images */
  reads?: (mimeType: string) => boolean;
  /** Maximum total bytes of natively sent files, which are sent with every turn. @default 20 MB */
  maxBytes?: number | undefined;
}

/** A part of a message's file content: text, or a file that is sent natively. */
export type FilePart = { text: string } | { name: string; mimeType: string; bytes: Buffer };

/** File contents by message object. */
export type FileParts = ReadonlyMap<object, readonly FilePart[]>;

/** Maximum earlier files of a conversation that are sent; older ones are only named. */
const MAX_FILES = 40;
const MAX_BYTES = 20 * 1024 * 1024;

/** Whether a turn or its history has files; lets turns without files skip the replay. */
export function hasTurnFiles({ files }: UpstreamTurn, history: readonly HistoryMessage[]): boolean {
  return files.length > 0 || history.some((message) => message.files.length > 0);
}

/**
 * Returns the contents of the files of this turn and of earlier messages, for an upstream without file storage. The budget goes to this
 * turn's files first, then to the newest messages; files that do not fit are named as left out.
 */
export async function replayFiles(turn: UpstreamTurn, history: readonly HistoryMessage[], bounds: ReplayBounds): Promise<FileParts> {
  const capacity = { left: bounds.maxBytes ?? MAX_BYTES };
  const asked = turn.messages[findAttachmentMessageIndex(turn.messages)];
  const own = await toContents(turn.files, capacity, bounds);
  const parts = new Map<object, readonly FilePart[]>(asked ? [[asked, own.parts]] : []);
  const newestFirst = history.filter(({ files }) => files.length > 0).reverse();
  const known = newestFirst.length > 0 ? await turn.earlierFiles(listIds(newestFirst).slice(0, MAX_FILES)) : new Map<string, TurnFile>();
  let budget = bounds.budget - own.tokens;
  for (const message of newestFirst) {
    const earlier = await toContents(
      message.files.flatMap(({ fileId }) => known.get(fileId) ?? []),
      capacity,
      { ...bounds, budget },
    );
    const missing = message.files.filter(({ fileId }) => !known.has(fileId)).map(({ fileName }) => leftOut(fileName));
    parts.set(message, [...earlier.parts, ...missing]);
    budget -= earlier.tokens;
  }
  return parts;
}

/** Returns the contents of files that share a budget, and the tokens of their texts. */
async function toContents(files: readonly TurnFile[], capacity: { left: number }, { count, budget, reads = isPicture }: ReplayBounds) {
  const shown = new Map<TurnFile, FilePart[]>();
  for (const file of files) {
    const parts = reads(file.mimeType) ? await whole(file, capacity) : undefined;
    if (parts) shown.set(file, parts);
    else if (isPicture(file.mimeType)) shown.set(file, [leftOut(file.name)]);
  }
  const maxText = Math.max(0, budget) * MAX_TOKEN_LENGTH;
  const texts = files.filter((file) => !shown.has(file));
  const prepared = await Promise.all(texts.map((file) => file.prepared(maxText)));
  const fitted = await truncateToTokenBudget(
    prepared.map(({ text }) => text),
    Math.max(0, budget),
    count,
  );
  const parts = texts.map((file, at) => {
    return { text: toFileText({ title: file.name, ...(prepared[at] ?? { text: '', omitted: '' }) }, fitted[at] ?? '') };
  });
  const tokens = (await Promise.all(fitted.map((text) => count(text)))).reduce((sum, one) => sum + one, 0);
  return { parts: [...parts, ...[...shown.values()].flat()], tokens };
}

function isPicture(mimeType: string): boolean {
  return mimeType.startsWith('image/');
}

/** Returns a file for native sending; undefined when it does not fit or only its text was stored. */
async function whole(file: TurnFile, capacity: { left: number }): Promise<FilePart[] | undefined> {
  const { name, mimeType, sizeBytes } = file;
  if (sizeBytes > capacity.left) return undefined;
  const { original } = await file.prepared(0);
  if (!original) return undefined;
  capacity.left -= sizeBytes;
  const kind = isPicture(mimeType) ? 'Picture' : 'File';
  return [{ text: `[${kind} ${JSON.stringify(name)}:]` }, { name, mimeType, bytes: original }];
}

function leftOut(name: string): FilePart {
  return { text: `[The file ${JSON.stringify(name)} was left out: there is no capacity for it, or it is gone.]` };
}

function listIds(messages: readonly HistoryMessage[]): string[] {
  return [...new Set(messages.flatMap(({ files }) => files.map(({ fileId }) => fileId)))];
}
