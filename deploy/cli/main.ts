import { run } from './run.ts';
import { toCliEnvironment } from './cli-environment.ts';

process.exitCode = await run(process.argv.slice(2), toCliEnvironment(process));
