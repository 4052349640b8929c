/** A table of text: the first column names the row. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

/** Renders a table for a terminal: the first column left, figures right. */
export function renderText(table: Table): string {
  const all = [table.columns, ...table.rows];
  const widths = table.columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const line = (row: string[]): string =>
    row
      .map((cell, i) => (i === 0 || i === row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [table.title, line(table.columns), line(widths.map((width) => '-'.repeat(width))), ...table.rows.map(line), ''].join('\n');
}

/** Renders a table as Markdown. */
export function renderMarkdown(table: Table): string {
  const line = (row: string[]): string => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = `|${table.columns.map((_, i) => (i === 0 || i === table.columns.length - 1 ? ' --- |' : ' ---: |')).join('')}`;
  return [`### ${table.title}`, '', line(table.columns), rule, ...table.rows.map(line), ''].join('\n');
}
