import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { AnswerText } from '../../../ui/messages/answer-text.tsx';
import { AssetView } from '../../../ui/messages/asset-view.tsx';
import { LongText } from '../../../ui/messages/long-text.tsx';
import { MessageFrame } from '../../../ui/messages/message-view.tsx';
import { Reasoning } from '../../../ui/messages/reasoning.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { listCompleteSentences } from '../turn/complete-sentences.ts';
import { type RunningTurn, type TurnState } from '../turn/running-turn.ts';

interface LiveTurnProps {
  turn: RunningTurn;
  state: TurnState;
  onRetry: () => void;
}

/** A question and its answer while it comes, until the record has both. */
export function LiveTurn({ turn, state, onRetry }: LiveTurnProps) {
  const { request, isQuestionRecorded: isAgain } = turn;
  return (
    <>
      {!isAgain && (
        <MessageFrame author="user" copy={request.text}>
          <LongText text={request.text} />
          {request.attachments.length > 0 && (
            <ul className="flex flex-wrap gap-2 text-sm">
              {request.attachments.map(({ file_id, file_name }) => (
                <li key={file_id} className="rounded-md border bg-surface px-2 py-0.5 break-all">
                  {file_name}
                </li>
              ))}
            </ul>
          )}
        </MessageFrame>
      )}
      <LiveAnswer workspaceId={request.workspaceId} state={state} />
      {state.problem && <ProblemNote error={state.problem} onRetry={onRetry} />}
    </>
  );
}

function LiveAnswer({ workspaceId, state }: { workspaceId: string; state: TurnState }) {
  const { t } = useTranslation('playground');
  const { phase, answer } = state;
  const isRunning = phase === 'waiting' || phase === 'answering';
  if (phase === 'failed' && !answer.text && !answer.reasoning) return null;
  return (
    <MessageFrame
      author="assistant"
      {...(answer.model !== undefined && { model: answer.model })}
      {...(!isRunning && { copy: answer.text })}
    >
      {answer.reasoning && <Reasoning text={answer.reasoning} isGrowing={isRunning && !answer.text} />}
      {answer.text && <AnswerText text={answer.text} isGrowing={isRunning} />}
      {phase === 'waiting' && <p className="animate-pulse text-sm text-muted">{t('waiting')}</p>}
      {answer.assets.map((asset) => (
        <AssetView key={asset.id} workspaceId={workspaceId} asset={asset} />
      ))}
      {phase === 'answering' && <p className="h-4 w-2 animate-pulse bg-accent" aria-hidden />}
      {phase === 'stopped' && <p className="text-sm text-muted">{t('stopped')}</p>}
    </MessageFrame>
  );
}

/** Announces the answer to screen readers, sentence by sentence as it comes. */
export function AnswerAnnouncer({ state }: { state: TurnState | undefined }) {
  const { t } = useTranslation('playground');
  const hasEnded = state !== undefined && state.phase !== 'waiting' && state.phase !== 'answering';
  return (
    <div role="log" aria-label={t('spoken')} aria-live="polite" aria-relevant="additions" className="sr-only">
      {state?.phase === 'waiting' && <p>{t('waiting')}</p>}
      {state?.isRecorded === false &&
        listCompleteSentences(state.answer.text, hasEnded).map(({ at, sentence }) => <p key={at}>{sentence}</p>)}
      {hasEnded && <p>{t(`ended.${state.phase}`)}</p>}
    </div>
  );
}

/** How long the last answer took, and what it cost. */
export function TurnFigures({ state: { answer, totalMs } }: { state: TurnState }) {
  const { t } = useTranslation('playground');
  const format = useFormatter();
  const figures = [
    answer.firstMs !== undefined && t('firstWord', { time: format.milliseconds(answer.firstMs) }),
    totalMs !== undefined && t('total', { time: format.milliseconds(totalMs) }),
    answer.usage && t('tokens', { in: format.number(answer.usage.prompt_tokens), out: format.number(answer.usage.completion_tokens) }),
  ].filter(Boolean);
  return <p className="text-xs text-muted">{figures.join(' · ')}</p>;
}
