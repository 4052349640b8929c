import { type Logger } from '@parley/kit/log/logger';
import { type DataDir } from '../supervisor/data-dir.ts';
import { type Keys } from './keys.ts';
import { type Output } from './output.ts';
import { type LocalSettings } from './settings.ts';

/** Dependencies of every part of the composition. */
export interface Composition {
  settings: LocalSettings;
  folder: DataDir;
  keys: Keys;
  log: Logger;
  output: Output;
}
