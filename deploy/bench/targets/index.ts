import { direct } from './direct.ts';
import { nginx } from './nginx.ts';
import { nodeProxy } from './node-proxy.ts';
import { parleyMonthly } from './parley-monthly.ts';
import { parleyTraced, parleyUnobserved } from './parley-observed.ts';
import { parleySeparate } from './parley-separate.ts';
import { parleySingle } from './parley-single.ts';
import { portkey } from './portkey.ts';
import { type Target } from './target.ts';

/** All targets, in the order of the report. */
export const TARGETS: readonly Target[] = [direct, nginx, nodeProxy, portkey, parleySingle, parleySeparate];

/** Targets that run only when `--targets` names them. */
export const FURTHER_TARGETS: readonly Target[] = [parleyUnobserved, parleyTraced, parleyMonthly];
