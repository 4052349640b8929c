import { type ResponseInputContent, type ResponseOutputText } from 'openai/resources/responses/responses';
import { makeWebp } from '../../../file-content/test/fixtures/make-bytes.ts';
import { type ResponseCreate } from './requests.ts';
import { newId, type Store } from './store.ts';

/** What the model makes of a turn: pictures, then words, piece by piece. */
export interface Made {
  images: string[];
  pieces: string[];
  annotations: ResponseOutputText['annotations'];
}

/** A line of a conversation as the model sees it. */
interface Line {
  role: string;
  text: string;
}

const CSV = Buffer.from('planet,moons\nEarth,1\nMars,2\n');

/** No language model: it answers a few plain requests from its input, so that tests see what reached it. */
export function answer(store: Store, request: ResponseCreate): Made {
  const lines = toLines(store, request.conversation);
  const asked = lines.findLast(({ role }) => role === 'user')?.text ?? '';
  const has = (type: string) => request.tools?.some((tool) => tool.type === type) ?? false;
  const says = (text: string, more: Partial<Made> = {}): Made => {
    const answer = request.instructions?.includes('capitals') ? text.toUpperCase() : text;
    return { images: [], pieces: answer.split(/(?<= )/), annotations: [], ...more };
  };
  if (/^draw /.test(asked) && has('image_generation')) {
    const images = Array.from(asked.match(/circle/g) ?? ['one'], () => Buffer.from(makeWebp(40, 30)).toString('base64'));
    return says('Here is the image.', { images });
  }
  if (/csv/i.test(asked) && has('code_interpreter')) {
    const [container_id, file_id] = [newId('cntr'), newId('cfile')];
    store.containers.set(`${container_id}/${file_id}`, CSV);
    const about = { type: 'container_file_citation', container_id, file_id, filename: 'planets.csv' } as const;
    return says('Here is the table.', { annotations: [0, 1].map((at) => ({ ...about, start_index: at, end_index: at + 1 })) });
  }
  if (/code word/.test(asked)) return says(codeWord(store, request));
  if (/what did I say first/.test(asked)) return says(`You said: ${lines.find(({ role }) => role === 'user')?.text}`);
  if (/what did you say/.test(asked)) return says(`I said: ${lines.findLast(({ role }) => role === 'assistant')?.text}`);
  const count = /^count to (\d+)/.exec(asked)?.[1];
  if (count) return says(Array.from({ length: Number(count) }, (_, at) => at + 1).join(' '));
  if (/picture/.test(asked))
    return says(`I see ${toParts(store, request.conversation).filter(({ type }) => type === 'input_image').length} image.`);
  return says(`You said: ${asked}`);
}

function codeWord(store: Store, { conversation, tools = [] }: ResponseCreate): string {
  const attached = toParts(store, conversation).flatMap((part) => (part.type === 'input_file' ? [part.file_id ?? ''] : []));
  const searched = tools.flatMap((tool) => (tool.type === 'file_search' ? tool.vector_store_ids : []));
  const found = searched.flatMap((id) => [...(store.vectorStores.get(id)?.files.keys() ?? [])]);
  const text = [...attached, ...found].map((id) => store.files.get(id)?.content.toString('utf8') ?? '').join('\n');
  return `The code word is ${/code word[^.]* is (\w+)/.exec(text)?.[1] ?? 'unknown to me'}.`;
}

function toParts(store: Store, conversation: string): ResponseInputContent[] {
  const items = store.conversations.get(conversation)?.items ?? [];
  return items.flatMap((item) => (item.type === 'message' ? (item.content as ResponseInputContent[]) : []));
}

function toLines(store: Store, conversation: string): Line[] {
  const items = store.conversations.get(conversation)?.items ?? [];
  return items.flatMap((item) =>
    item.type === 'message' ? [{ role: item.role, text: item.content.map((part) => ('text' in part ? part.text : '')).join('') }] : [],
  );
}
