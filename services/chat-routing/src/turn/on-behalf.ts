import { type CallInit } from '@parley/kit/rpc/call';

/** For whom a turn is written into the record: its caller, and its span. */
export type OnBehalf = Required<Pick<CallInit, 'caller' | 'span'>>;
