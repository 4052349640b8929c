import { describe, expect, it } from '@jest/globals';
import { type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { createCliContext } from './cli-context.ts';
import { createProgram } from './program.ts';
import { REFERENCE_SECTION_PATTERN, renderReference } from './reference.ts';

const PAGE = new URL('../../docs/cli.md', import.meta.url);

function program(): Command {
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
  return createProgram(createCliContext({ ...streams, env: {}, cwd: '/nowhere', nodeVersion: '22.1.0', now: () => 0 }, false));
}

/** Command lines of examples: the command, and the options that they name. */
function examplesOf(text: string): { line: string; words: string[]; options: string[] }[] {
  return [...text.matchAll(/^ {2}(?:npx )?parley (.*)$/gm)].map(([line, rest = '']) => {
    const words = rest.split(/\s/);
    return { line: line.trim(), words, options: words.flatMap((word) => /^--[\w-]+/.exec(word)?.[0] ?? []) };
  });
}

describe('docs/cli.md', () => {
  it('has every command as the program has it (npm run docs:cli)', async () => {
    const [reference] = REFERENCE_SECTION_PATTERN.exec(await readFile(PAGE, 'utf8')) ?? [];
    expect(reference).toBe(renderReference(program()));
    for (const command of ['parley keys create', 'parley oidc-providers add', 'parley audit verify'])
      expect(reference).toContain(`\`${command}\``);
  });

  it('has examples that name commands and options which exist', () => {
    const examples = examplesOf(renderReference(program()));
    expect(examples.length).toBeGreaterThan(20);
    for (const { line, words, options } of examples) {
      let command: Command | undefined = program();
      for (const word of words) {
        const child: Command | undefined = command.commands.find((one) => one.name() === word);
        if (!child) break;
        command = child;
      }
      const known = command.options.map(({ long }) => long);
      expect({ line, isComplete: command.commands.length === 0, unknown: options.filter((one) => !known.includes(one)) }).toEqual({
        line,
        isComplete: true,
        unknown: [],
      });
    }
  });
});
