import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { findAttachmentTarget } from '../../domain/new-messages.ts';
import { type CountTokens, fitTexts } from '../../domain/fit-texts.ts';
import { type TurnFile, type UpstreamTurn } from '../upstream-turn.ts';
import { toFileText, MAX_TOKEN_LENGTH } from './project-preamble.ts';

/** How what is told of attached files is measured. */
export interface ReplayBounds {
  count: CountTokens;
  /** Tokens that the texts of all files of a conversation may take. */
  budget: number;
  /** Types of files that the model reads itself; of others the text is told. @default pictures */
  reads?: (mimeType: string) => boolean;
  /** Bytes that all those files together may have: they travel with every turn. @default 20 MB */
  maxBytes?: number | undefined;
}

/** What is told of a file: words, or the file itself. */
export type FilePart = { text: string } | { name: string; mimeType: string; bytes: Buffer };

/** What is told of the files of each message, by the message. */
export type FileParts = ReadonlyMap<object, readonly FilePart[]>;

/** Files of a conversation that are told again and again; of more, the older ones are only named. */
const MAX_FILES = 40;
const MAX_BYTES = 20 * 1024 * 1024;

/** Whether anything is to be replayed, so that a turn without files pays nothing. */
export function hasFiles({ files }: UpstreamTurn, history: readonly HistoryMessage[]): boolean {
  return files.length > 0 || history.some((message) => message.files.length > 0);
}

/**
 * What an upstream that takes no files is told of those of this turn and of earlier ones. Those of this turn have room first, then the newest;
 * what has none is named, and said to be left out.
 */
export async function replayFiles(turn: UpstreamTurn, history: readonly HistoryMessage[], bounds: ReplayBounds): Promise<FileParts> {
  const room = { left: bounds.maxBytes ?? MAX_BYTES };
  const asked = turn.messages[findAttachmentTarget(turn.messages)];
  const own = await tell(turn.files, room, bounds);
  const parts = new Map<object, readonly FilePart[]>(asked ? [[asked, own.parts]] : []);
  const newestFirst = history.filter(({ files }) => files.length > 0).reverse();
  const known = newestFirst.length > 0 ? await turn.earlierFiles(listIds(newestFirst).slice(0, MAX_FILES)) : new Map<string, TurnFile>();
  let budget = bounds.budget - own.tokens;
  for (const message of newestFirst) {
    const told = await tell(
      message.files.flatMap(({ fileId }) => known.get(fileId) ?? []),
      room,
      { ...bounds, budget },
    );
    const missing = message.files.filter(({ fileId }) => !known.has(fileId)).map(({ fileName }) => leftOut(fileName));
    parts.set(message, [...told.parts, ...missing]);
    budget -= told.tokens;
  }
  return parts;
}

/** What is told of files that share a budget, and the tokens of it. */
async function tell(files: readonly TurnFile[], room: { left: number }, { count, budget, reads = isPicture }: ReplayBounds) {
  const shown = new Map<TurnFile, FilePart[]>();
  for (const file of files) {
    const parts = reads(file.mimeType) ? await whole(file, room) : undefined;
    if (parts) shown.set(file, parts);
    else if (isPicture(file.mimeType)) shown.set(file, [leftOut(file.name)]);
  }
  const maxText = Math.max(0, budget) * MAX_TOKEN_LENGTH;
  const texts = files.filter((file) => !shown.has(file));
  const prepared = await Promise.all(texts.map((file) => file.prepared(maxText)));
  const fitted = await fitTexts(
    prepared.map(({ text }) => text),
    Math.max(0, budget),
    count,
  );
  const told = texts.map((file, at) => {
    return { text: toFileText({ title: file.name, ...(prepared[at] ?? { text: '', omitted: '' }) }, fitted[at] ?? '') };
  });
  const tokens = (await Promise.all(fitted.map((text) => count(text)))).reduce((sum, one) => sum + one, 0);
  return { parts: [...told, ...[...shown.values()].flat()], tokens };
}

function isPicture(mimeType: string): boolean {
  return mimeType.startsWith('image/');
}

/** The file itself; undefined where there is no room for it, or only its text was kept. */
async function whole(file: TurnFile, room: { left: number }): Promise<FilePart[] | undefined> {
  const { name, mimeType, sizeBytes } = file;
  if (sizeBytes > room.left) return undefined;
  const { original } = await file.prepared(0);
  if (!original) return undefined;
  room.left -= sizeBytes;
  const kind = isPicture(mimeType) ? 'Picture' : 'File';
  return [{ text: `[${kind} ${JSON.stringify(name)}:]` }, { name, mimeType, bytes: original }];
}

function leftOut(name: string): FilePart {
  return { text: `[The file ${JSON.stringify(name)} was left out: there is no room for it, or it is gone.]` };
}

function listIds(messages: readonly HistoryMessage[]): string[] {
  return [...new Set(messages.flatMap(({ files }) => files.map(({ fileId }) => fileId)))];
}
