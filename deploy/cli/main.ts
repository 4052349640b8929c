import { toCliEnvironment } from './cli-environment.ts';
import { runCommandLine } from './run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), toCliEnvironment(process));
