import { useFormat } from '../i18n/format.ts';
import { useNow } from './use-now.ts';

/** "3 minutes ago", with the exact time for who points at it. */
export function RelativeTime({ at }: { at: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {format.relative(at, now)}
    </time>
  );
}
