import { useTranslation } from 'react-i18next';
import { useNow } from '../../../ui/use-now.ts';

interface CooldownProps {
  seconds: number;
  /** When `seconds` was read, in milliseconds. */
  readAt: number;
}

/** Counts down until a connection takes turns again. */
export function Cooldown({ seconds, readAt }: CooldownProps) {
  const { t } = useTranslation('connections');
  const left = Math.ceil((readAt + seconds * 1000 - useNow()) / 1000);
  return (
    <p role="timer" className="text-sm font-medium tabular-nums">
      {left > 0 ? t('cooldown.left', { time: formatCountdown(Math.min(left, seconds)) }) : t('cooldown.over')}
    </p>
  );
}

/** Formats the rest of a countdown: 4:32, 1:04:32 */
export function formatCountdown(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}
