import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Pixels from the end that still count as the end. */
const NEAR = 80;

/**
 * Keeps the end of a growing list in sight, for who was there; who has scrolled up stays where they are. `growth` changes with the content, and
 * with `subject` it begins at the end again. Returns what listens to the scroller.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, growth: unknown, subject: unknown): () => void {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    isAtEnd.current = true;
  }, [subject]);
  useLayoutEffect(() => {
    if (isAtEnd.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller, growth, subject]);
  return () => {
    const { current } = scroller;
    if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
  };
}
