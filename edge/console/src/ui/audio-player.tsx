import { clsx } from 'clsx';
import { useCallback } from 'react';

interface AudioPlayerProps {
  /** An address, or what was made or recorded here. */
  source: Blob | string;
  /** The name of the audio, for screen readers. */
  label: string;
  /** Plays by itself: only for audio that the user has just requested. */
  isStarted?: boolean;
  className?: string;
}

/** The browser's own player of audio, which works with every keyboard, reader and phone. */
export function AudioPlayer({ source, label, isStarted = false, className }: AudioPlayerProps) {
  const attach = useCallback(
    (player: HTMLAudioElement | null) => {
      if (!player || typeof source === 'string') return undefined;
      const address = URL.createObjectURL(source);
      player.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [source],
  );
  return (
    // What is said is shown beside it: the text that it was made of, or what was understood of it.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio
      ref={attach}
      controls
      preload="none"
      autoPlay={isStarted}
      aria-label={label}
      {...(typeof source === 'string' && { src: source })}
      className={clsx('h-9 max-w-full', className)}
    />
  );
}
