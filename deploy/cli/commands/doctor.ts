import { Command } from 'commander';
import { type CliContext } from '../cli-context.ts';
import { type Finding } from '../doctor/finding.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { replaceControlCharacters } from '../output/format-table.ts';

const MARKS = { ok: 'ok   ', warning: 'warn ', failed: 'FAIL ', skipped: 'skip ' } as const;

/** `parley doctor`: finds out what is wrong and says what to do about it; fails when something is. */
export function doctorCommand(context: CliContext): Command {
  return new Command('doctor').description('Find out what is wrong and what to do about it').action(async () => {
    const findings = await runChecks(context.environment);
    const failures = findings.filter(({ state }) => state === 'failed').length;
    context.failed = failures > 0;
    context.print({ ok: failures === 0, findings }, () => [...findings.map(line), '', verdict(findings, failures)].join('\n'));
  });
}

function line({ name, state, detail, advice }: Finding): string {
  return `${MARKS[state]} ${name}: ${replaceControlCharacters(detail)}${advice ? `\n      → ${replaceControlCharacters(advice)}` : ''}`;
}

function verdict(findings: readonly Finding[], failures: number): string {
  if (failures > 0) return failures === 1 ? 'One thing is wrong.' : `${failures} things are wrong.`;
  return findings.some(({ state }) => state === 'warning') ? 'It works; mind the warnings.' : 'All is well.';
}
