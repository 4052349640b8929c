import { type CallInit } from '@parley/kit/rpc/call';

/** The caller and span with which a turn's calls to the conversation service are made. */
export type TurnCaller = Required<Pick<CallInit, 'caller' | 'span'>>;
