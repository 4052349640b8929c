import { useFormatter } from '../i18n/formatter.ts';
import { useNow } from './use-now.ts';

/** "3 minutes ago", with the exact time for who points at it; `isShort` in the cells of tables. */
export function RelativeTime({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const format = useFormatter();
  const now = useNow();
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {(isShort ? format.relativeShort : format.relative)(at, now)}
    </time>
  );
}
