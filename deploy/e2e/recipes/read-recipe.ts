/** A block of a page that is run, and what it must print. */
export interface Step {
  language: 'js' | 'sh';
  code: string;
  /** `…` stands for anything; undefined: it prints nothing. */
  prints: string | undefined;
}

const FENCED = /^```(\S*)([^\n]*)\n([\s\S]*?)^```$/gm;

/**
 * The blocks of a Markdown page that are run, in order: those marked `js` or `sh`, unless `not-run`, with a reason, stands behind that. The `text` that follows
 * a block is what it prints.
 */
export function readRecipe(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const [, language = '', mark = '', code = ''] of markdown.matchAll(FENCED)) {
    if (mark.includes('not-run')) continue;
    const last = steps.at(-1);
    if (language === 'js' || language === 'sh') steps.push({ language, code, prints: undefined });
    if (language !== 'text') continue;
    if (!last || last.prints !== undefined) throw new Error(`nothing printed this:\n${code}`);
    last.prints = code;
  }
  return steps;
}

/** What a step prints, as a pattern for the whole of it. */
export function printed({ prints = '' }: Step): RegExp {
  const parts = prints.trim().split('…');
  return new RegExp(`^${parts.map((part) => escaped(part)).join('[\\s\\S]*?')}$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
