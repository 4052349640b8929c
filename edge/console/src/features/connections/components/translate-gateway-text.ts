/** Words of the gateway and their translations; `{}` in both stands for what differs. */
export type GatewayTextTranslations = Readonly<Record<string, string>>;

/** What the gateway says in plain English, in the language of the reader where the words are known, and as it is where not. */
export function translateGatewayText(words: GatewayTextTranslations, text: string): string {
  const known = words[text];
  if (known !== undefined) return known;
  for (const [pattern, translation] of Object.entries(words)) {
    const [before, after] = pattern.split('{}');
    if (before === undefined || after === undefined || text.length < before.length + after.length) continue;
    if (text.startsWith(before) && text.endsWith(after))
      return translation.replace('{}', () => text.slice(before.length, text.length - after.length));
  }
  return text;
}
