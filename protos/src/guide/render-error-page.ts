import { ERROR_CATALOGUE, type ErrorCondition, type ErrorRow } from '../error-catalogue.ts';
import { ERROR_GUIDE } from './error-guide.ts';
import { type GuideEntry } from './guide-entry.ts';

const RETRY = {
  yes: 'Yes, with increasing delays and a limit on the number of attempts.',
  no: 'No: the same request gets the same answer.',
} as const;

const INTRODUCTION = `<!-- Written by \`npm run docs:errors\` from protos/src/error-catalogue.ts and protos/src/guide. -->

# Errors

Every error has the same envelope at top level:

\`\`\`json
{
  "error": {
    "code": "CONVERSATION_NOT_FOUND",
    "message": "the conversation does not exist",
    "type": "not_found_error",
    "request_id": "01999999-0000-7000-8000-000000000000",
    "retryable": false
  }
}
\`\`\`

- \`code\` is for programs; compare it without regard to case. \`message\` is for people and may change.
- \`param\`, where present, names the field, header or scope at fault.
- \`request_id\` equals the header \`X-Request-Id\` and finds the request in the gateway’s log.
- \`retryable: true\` means that the same request may succeed later, not that repeating a write is safe. \`null\` means that it is not known.
- \`Retry-After\` (seconds) is sent where the delay is known. \`x-should-retry: false\` keeps OpenAI’s SDKs from repeating a request that cannot succeed, or not within a minute.
- A stream that has started ends with a chunk whose \`finish_reason\` is \`error\`, then a frame with this envelope, then \`[DONE]\`.

Link to a code with its lower-case name as the anchor, for example [\`#conversation_not_found\`](#conversation_not_found).
`;

/** Renders the error reference (Markdown): an index by status, then one section for each code, whose anchor is the code in lower case. */
export function renderErrorPage(): string {
  const groups = groupByCode();
  return [INTRODUCTION, '## Codes by status\n', ...renderIndex(groups), '## Reference\n', ...groups.map(renderCode)].join('\n');
}

type Row = Readonly<ErrorRow> & { condition: ErrorCondition };

/**
 * Groups the conditions by code, in the order of the codes. Some codes stand for several conditions, which differ in status, type or cause.
 */
function groupByCode(): Row[][] {
  const rows = Object.entries(ERROR_CATALOGUE).map(([condition, row]) => ({ ...row, condition: condition as ErrorCondition }));
  // Clients compare codes without regard to case, and so do anchors.
  const groups = groupBy(rows, ({ code }) => code.toLowerCase());
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

function renderIndex(groups: readonly Row[][]): string[] {
  const byStatus = groupBy(groups.flat(), ({ http }) => http);
  const sections = [...byStatus].toSorted(([one], [other]) => one - other);
  return sections.map(([status, rows]) => `### ${status}\n\n${rows.map(renderLink).join('\n')}\n`);
}

function groupBy<K>(rows: readonly Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function renderLink({ code, condition }: Row): string {
  return `- [\`${code}\`](#${code.toLowerCase()}): ${ERROR_GUIDE[condition].meaning}`;
}

function renderCode(rows: readonly Row[]): string {
  return `### \`${rows[0]?.code}\`\n\n${rows.map(renderCondition).join('\n')}`;
}

function renderCondition({ condition, code, http, type, retryable, aliases }: Row): string {
  const { meaning, cause, remedy, retry }: GuideEntry = ERROR_GUIDE[condition];
  const others = aliases.filter((alias) => alias.toLowerCase() !== code.toLowerCase());
  const alias = others.length > 0 ? `, also known as ${others.map((other) => `\`${other}\``).join(', ')}` : '';
  return [
    `**${meaning}** Status ${http}, code \`${code}\`, type \`${type}\`, retryable \`${retryable}\`${alias}.\n`,
    `- Cause: ${cause}`,
    `- Remedy: ${remedy}`,
    `- Retry: ${retry ?? (retryable ? RETRY.yes : RETRY.no)}\n`,
  ].join('\n');
}
