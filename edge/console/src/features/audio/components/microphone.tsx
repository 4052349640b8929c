import { Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { toFileExtension } from './audio-format.ts';

/** The best for the gateway first: it reads Opus in both containers. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'] as const;

type Refusal = 'denied' | 'missing' | 'insecure' | 'failed';

interface Session {
  recorder: MediaRecorder;
  since: number;
}

/** Records by the microphone of this machine; what was recorded stays in the page until it is sent. */
export function Microphone({ onRecorded }: { onRecorded: (audio: Blob, name: string) => void }) {
  const { t } = useTranslation('audio');
  const [session, setSession] = useState<Session>();
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const recording = useRef<MediaRecorder>(undefined);
  // Leaving the page stops the recording.
  useEffect(() => () => release(recording.current), []);
  const start = async () => {
    setRefusal(undefined);
    setAsking(true);
    try {
      const recorder = await open();
      const parts: Blob[] = [];
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
      recorder.addEventListener('stop', () => {
        release(recorder);
        setSession(undefined);
        const audio = new Blob(parts, { type: recorder.mimeType });
        if (audio.size > 0) onRecorded(audio, `${t('microphone.fileName')}.${toFileExtension(recorder.mimeType)}`);
      });
      recorder.start();
      recording.current = recorder;
      setSession({ recorder, since: Date.now() });
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setAsking(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        {session ? (
          <>
            <Button look="danger" onClick={() => session.recorder.stop()}>
              <Square className="size-4" aria-hidden />
              {t('microphone.stop')}
            </Button>
            <Elapsed since={session.since} />
          </>
        ) : (
          <Button isBusy={isAsking} onClick={() => void start()}>
            <Mic className="size-4" aria-hidden />
            {t('microphone.record')}
          </Button>
        )}
      </div>
      {refusal ? (
        <p role="alert" className="text-sm text-bad">
          {t(`microphone.refusals.${refusal}`)}
        </p>
      ) : (
        <p className="text-sm text-muted">{t('microphone.explained')}</p>
      )}
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const { t } = useTranslation('audio');
  const seconds = Math.max(0, Math.floor((useNow() - since) / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <span role="timer" className="text-sm text-bad tabular-nums">
      {t('microphone.recording', { time })}
    </span>
  );
}

/** Asks the person for the microphone. @throws what the browser refuses with */
async function open(): Promise<MediaRecorder> {
  // Browsers have it on encrypted pages and on this machine's own only.
  if (!isSecureContext || typeof MediaRecorder === 'undefined') throw new DOMException('', 'SecurityError');
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  return new MediaRecorder(stream, { ...(mimeType !== undefined && { mimeType }) });
}

function release(recorder: MediaRecorder | undefined): void {
  for (const track of recorder?.stream.getTracks() ?? []) track.stop();
}

function refusalOf(error: unknown): Refusal {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return 'denied';
  if (name === 'NotFoundError') return 'missing';
  return name === 'SecurityError' ? 'insecure' : 'failed';
}
