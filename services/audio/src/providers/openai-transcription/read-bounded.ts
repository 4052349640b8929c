/** Two hours of fast speech are a tenth of it. */
const MAX_ANSWER_BYTES = 4 * 1_024 ** 2;

/** The text of an answer; '' for one that is too large, which is read no further. */
export async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
