/** Formats a table for people: columns as wide as their widest cell, headings in capitals. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(replaceControlCharacters))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats facts, one on each line. */
export function formatFacts(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${replaceControlCharacters(value)}`.trimEnd()).join('\n');
}

/** Replaces control characters by `?`: names come from elsewhere, and a terminal obeys some of these characters. */
export function replaceControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}
