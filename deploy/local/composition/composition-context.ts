import { type Logger } from '@parley/kit/log/logger';
import { type DataDir } from '../supervisor/data-dir.ts';
import { type GatewayKeys } from './gateway-keys.ts';
import { type OutputSink } from './output-sink.ts';
import { type LocalSettings } from './settings.ts';

/** Dependencies of the functions that start the processes of the composition. */
export interface CompositionContext {
  settings: LocalSettings;
  folder: DataDir;
  keys: GatewayKeys;
  log: Logger;
  output: OutputSink;
}
