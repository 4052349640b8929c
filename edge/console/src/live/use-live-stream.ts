import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type LiveState, openLiveStream } from './live-stream.ts';

/** Keeps the live stream of the page open for as long as it is shown; returns its state. */
export function useLiveStream(onSessionEnd: () => void): LiveState {
  const queries = useQueryClient();
  const [state, onState] = useState<LiveState>('connecting');
  const ended = useEffectEvent(onSessionEnd);
  useEffect(() => openLiveStream(queries, { onState, onSessionEnd: () => ended() }), [queries]);
  return state;
}
