import { type RefObject, useEffect, useRef } from 'react';

/** Pixels from the end that still count as the end. */
const NEAR = 80;

/**
 * Keeps the end of a growing list in sight, for who was there; who has scrolled up stays where they are. With another `subject` it begins at the
 * end again. Nothing moves while it is not `isOn`. The scroller has one child, whose size is watched. Returns what listens to the scroller.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, subject: unknown, isOn: boolean): () => void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = scroller;
    const content = current?.firstElementChild;
    if (!content || !isOn) return undefined;
    const toEnd = () => {
      if (isAtEnd.current) current.scrollTo({ top: current.scrollHeight });
    };
    isAtEnd.current = true;
    toEnd();
    const observer = new ResizeObserver(toEnd);
    observer.observe(content);
    return () => observer.disconnect();
  }, [scroller, subject, isOn]);
  return () => {
    const { current } = scroller;
    if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
  };
}
