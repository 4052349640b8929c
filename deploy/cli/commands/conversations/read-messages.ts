import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { usageError } from '../../cli-error.ts';

/** A message as it is imported. */
export interface ImportedMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The title and the messages of a file to import. */
export interface ConversationImport {
  /** Of an export; empty where the file gives none. */
  title: string;
  messages: ImportedMessage[];
}

const text = z.union([
  z.string(),
  z.array(z.object({ type: z.literal('text'), text: z.string() })).transform((parts) => parts.map((part) => part.text).join('\n')),
]);

const message = z.object({
  // As in a chat, a developer is a system.
  role: z.preprocess((role) => (role === 'developer' ? 'system' : role), z.enum(['system', 'user', 'assistant'])),
  content: text,
});

const file = z.union([
  z.array(message).transform((messages) => ({ title: '', messages })),
  z
    .object({ conversation: z.object({ title: z.string().default('') }).optional(), messages: z.array(message) })
    .transform(({ conversation, messages }) => ({ title: conversation?.title ?? '', messages })),
]);

/**
 * Reads an OpenAI-style array of messages: alone, in a request body, or in an export of ours. Messages without text, such as answers that
 * failed, are left out. @throws CliError with exit code 2 for anything else
 */
export async function readMessages(path: string): Promise<ConversationImport> {
  const read = file.safeParse(parse(path, await readText(path)));
  if (!read.success) throw usageError(`${path} ${complaint(read.error)}`);
  const messages = read.data.messages.filter(({ content }) => content.trim() !== '');
  if (messages.length === 0) throw usageError(`${path} holds no message with a text`);
  return { title: read.data.title, messages };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parse(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw usageError(`${path} is not JSON`);
  }
}

/** Only texts of system, user and assistant can be taken over, so the first message that is something else is named. */
function complaint(error: z.ZodError): string {
  const at = placesIn(error.issues).find((path) => path.some((part) => typeof part === 'number'));
  const index = at?.find((part) => typeof part === 'number');
  return index === undefined
    ? 'is neither an array of messages nor an object that holds one'
    : `has a message that cannot be imported (number ${Number(index) + 1}): only texts of system, user and assistant can`;
}

function placesIn(issues: z.core.$ZodIssue[]): PropertyKey[][] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue.path];
    return issue.errors.flatMap(placesIn).map((inside) => [...issue.path, ...inside]);
  });
}
