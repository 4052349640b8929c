import { run } from './run.ts';
import { surroundingsOf } from './surroundings.ts';

process.exitCode = await run(process.argv.slice(2), surroundingsOf(process));
