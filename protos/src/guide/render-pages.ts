import { CATALOGUE, type Condition, type ErrorRow } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';
import { GUIDE } from './guide.ts';

const WRITTEN = '<!-- Written by `npm run docs:errors` from protos/src/catalogue.ts and protos/src/guide. -->';

const RETRY = {
  yes: 'Yes, with growing pauses and an end to it.',
  no: 'Not as it is: the same request would be answered the same.',
} as const;

const INTRODUCTION = `# Errors

Every error has the same envelope, at top level, whatever refused the request:

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

- \`code\` is for programs. Compare it without regard to case; \`message\` is for people and may change.
- \`param\`, where it is there, names the field, header or scope that is at fault.
- \`request_id\` is also in the header \`X-Request-Id\`, and finds the request in the gateway’s log.
- \`retryable: true\` means that the same request may succeed later; not that repeating a write is safe. \`null\` means that nobody knows.
- \`Retry-After\` (seconds) is sent where the wait is known. \`x-should-retry: false\` keeps OpenAI’s SDKs from repeating what cannot succeed, or not within a minute.
- A stream that has begun ends with a chunk whose \`finish_reason\` is \`error\`, then a frame with this envelope, then \`[DONE]\`.
`;

type Conditions = readonly Condition[];

/** The pages of the guide by file name, one for each code, and `README.md`, their index. */
export function renderErrorPages(): ReadonlyMap<string, string> {
  const pages = new Map<string, Conditions>();
  for (const condition of Object.keys(CATALOGUE) as Condition[]) {
    // Codes are compared without regard to case, and so are file names in some places.
    const file = `${rowOf(condition).code.toLowerCase()}.md`;
    pages.set(file, [...(pages.get(file) ?? []), condition]);
  }
  const rendered = [...pages].map(([file, conditions]) => [file, renderPage(conditions)] as const);
  return new Map([['README.md', renderIndex(pages)], ...rendered]);
}

function renderIndex(pages: ReadonlyMap<string, Conditions>): string {
  const byStatus = new Map<number, string[]>();
  for (const [file, conditions] of pages) {
    for (const condition of conditions) {
      const { code, http } = rowOf(condition);
      const line = `- [\`${code}\`](${file}): ${GUIDE[condition].meaning}`;
      byStatus.set(http, [...(byStatus.get(http) ?? []), line]);
    }
  }
  const sections = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, lines]) => `## ${status}\n\n${lines.join('\n')}\n`);
  return `${WRITTEN}\n\n${INTRODUCTION}\n${sections.join('\n')}`;
}

/** A code may stand for several conditions, which differ in status or type. */
function renderPage(conditions: Conditions): string {
  const titles = new Set(conditions.map((condition) => `\`${rowOf(condition).code}\``));
  const isAlone = conditions.length === 1;
  const sections = conditions.map((condition) => `${isAlone ? '' : `\n${headingOf(condition)}\n`}${renderCondition(condition, isAlone)}`);
  return `${WRITTEN}\n\n# ${[...titles].join(', ')}\n${sections.join('')}\n[All errors](README.md)\n`;
}

function headingOf(condition: Condition): string {
  const { code, http, type } = rowOf(condition);
  return `## \`${code}\`, ${http}, \`${type}\``;
}

function renderCondition(condition: Condition, isAlone: boolean): string {
  const row = rowOf(condition);
  const { meaning, cause, remedy, retry }: GuideEntry = GUIDE[condition];
  const others = row.aliases.filter((alias) => alias.toLowerCase() !== row.code.toLowerCase());
  const facts = [
    `- Status ${row.http}, type \`${row.type}\`, retryable \`${row.retryable}\``,
    ...(others.length > 0 ? [`- Also known as ${others.map((alias) => `\`${alias}\``).join(', ')}`] : []),
  ];
  const level = isAlone ? '##' : '###';
  const section = (title: string, text: string) => `\n${level} ${title}\n\n${text}\n`;
  return [
    `\n${meaning}\n\n${facts.join('\n')}\n`,
    section('Why', cause),
    section('What to do', remedy),
    section('Try again?', retry ?? (row.retryable ? RETRY.yes : RETRY.no)),
  ].join('');
}

function rowOf(condition: Condition): ErrorRow {
  return CATALOGUE[condition];
}
