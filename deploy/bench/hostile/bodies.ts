import { gzipSync } from 'node:zlib';

/** A body that is sent to a target. */
export interface LargeBody {
  name: string;
  bytes: Buffer;
  encoding?: 'gzip';
}

const IMAGE_BYTES = 14 * 1_024 * 1_024;
const MESSAGES = 10_000;

/** Honest bodies as large as they may be, and hostile ones that cost the most for their size. */
export function largeBodies(model: string): LargeBody[] {
  const said = (content: unknown, more: object = {}) => ({ model, messages: [{ role: 'user', content }], ...more });
  const json = (name: string, value: unknown): LargeBody => ({ name, bytes: Buffer.from(JSON.stringify(value)) });
  const text = (name: string, body: string): LargeBody => ({ name, bytes: Buffer.from(body) });
  const raw = (name: string, field: string): LargeBody => text(name, JSON.stringify(said('hello')).replace(/}$/, `,${field}}`));
  const gzip = ({ name, bytes }: LargeBody): LargeBody => ({ name: `${name}, gzip`, bytes: gzipSync(bytes), encoding: 'gzip' });
  const url = `data:image/png;base64,${Buffer.alloc(IMAGE_BYTES, 'image').toString('base64')}`;
  const history = (content: string) => Array.from({ length: MESSAGES }, (_, n) => ({ role: n % 2 ? 'assistant' : 'user', content }));
  const objects = raw('6,000,000 objects', `"tools":[${'{},'.repeat(6_000_000)}{}]`);
  return [
    json('one image', said([{ type: 'image_url', image_url: { url } }])),
    json('10,000 messages', { model, messages: history('word '.repeat(380)) }),
    json('10,000 Cyrillic messages', { model, messages: history('слово '.repeat(170)) }),
    raw('one ignored text', `"x":"${'x'.repeat(19_000_000)}"`),
    raw('one ignored text of escapes', `"x":"${'\\u0041'.repeat(3_200_000)}"`),
    objects,
    gzip(objects),
    text('300,000 bad parts', `{"model":"${model}","messages":[{"role":"user","content":[${'{},'.repeat(300_000)}{}]}]}`),
    text('30,000 bad parts', `{"model":"${model}","messages":[{"role":"user","content":[${'{},'.repeat(30_000)}{}]}]}`),
    raw('90,000 names', `"x":{${Array.from({ length: 90_000 }, (_, n) => `"${n.toString().padStart(190, 'n')}":0`).join(',')}}`),
  ];
}
