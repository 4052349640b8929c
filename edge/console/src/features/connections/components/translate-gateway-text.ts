/** Translations of texts of the gateway; `{}` in both stands for the part that varies. */
export type GatewayTextTranslations = Readonly<Record<string, string>>;

/** Translates an English text of the gateway to the language of the reader; returns an unknown text as it is. */
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
