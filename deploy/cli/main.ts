import { runCommandLine } from './run.ts';
import { toCliEnvironment } from './cli-environment.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), toCliEnvironment(process));
