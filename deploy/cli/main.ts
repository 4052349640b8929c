import { runCommandLine } from './run-command-line.ts';
import { toCliEnvironment } from './cli-environment.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), toCliEnvironment(process));
