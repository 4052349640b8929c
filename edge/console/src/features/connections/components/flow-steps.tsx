import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../api/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { type ConnectFlow, type FlowAnswer, readFlow, useAnswerFlow } from '../queries/flows.ts';
import { formatCountdown } from './cooldown.tsx';
import { FlowField } from './flow-field.tsx';
import { type GatewayTextTranslations, translateGatewayText } from './translate-gateway-text.ts';

interface FlowStepsProps {
  workspaceId: string;
  flow: ConnectFlow;
  /** With the flow as it is after an answer. */
  onFlow: (flow: ConnectFlow) => void;
  onCancel: () => void;
}

/** Codes of errors about what was typed, whose message says what is wrong. */
const REFUSALS = ['CONNECT_REFUSED', 'CONNECT_STEP_INVALID'];

/** Asks what a provider asks, one step at a time. What is typed stays in the fields, and nowhere else. */
export function FlowSteps({ workspaceId, flow, onFlow, onCancel }: FlowStepsProps) {
  const { t } = useTranslation('connections');
  const words = t('flow.words', { returnObjects: true }) as GatewayTextTranslations;
  const answering = useAnswerFlow(workspaceId);
  // After such an error the flow may ask for something else, with fewer tries, or be over.
  const reading = useMutation({ mutationFn: () => readFlow(workspaceId, flow.id), onSuccess: (now) => now && onFlow(now) });
  const { step } = flow;
  const isGone = reading.isSuccess && reading.data === undefined;
  const answer = (given: FlowAnswer) => answering.mutate({ flow, answer: given }, { onSuccess: onFlow, onError: () => reading.mutate() });
  if (flow.status === 'failed' || !step || isGone) {
    return (
      <div>
        <p role="alert" className="flex items-center gap-2">
          <CircleAlert className="size-5 shrink-0 text-bad" aria-hidden />
          {flow.reason ? t('flow.failedBecause', { reason: translateGatewayText(words, flow.reason) }) : t('flow.over')}
        </p>
        <DialogActions>
          <Button look="primary" onClick={onCancel}>
            {t('common:close')}
          </Button>
        </DialogActions>
      </div>
    );
  }
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const answers = step.fields.flatMap(({ name }) => {
      const text = typed.get(name);
      return typeof text === 'string' && text !== '' ? [[name, text] as const] : [];
    });
    answer({ answers: Object.fromEntries(answers) });
  };
  return (
    <form key={step.number} onSubmit={submit} className="flex flex-col gap-4" autoComplete="off">
      <p role="status">{translateGatewayText(words, step.message)}</p>
      {step.url !== null && (
        <a href={step.url} target="_blank" rel="noreferrer" className="underline">
          {t('flow.redirect')}
        </a>
      )}
      {step.fields.map((field, index) => (
        <FlowField key={field.name} field={field} words={words} isFirst={index === 0} />
      ))}
      {answering.error && <Refusal error={answering.error} triesLeft={step.tries_left} />}
      <div className="flex flex-wrap items-center gap-2">
        {step.actions.map(({ name, label }) => (
          <Button key={name} size="small" disabled={answering.isPending} onClick={() => answer({ action: name })}>
            {translateGatewayText(words, label)}
          </Button>
        ))}
        <TimeLeft until={flow.expires_at} />
      </div>
      <DialogActions>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
        <Button type="submit" look="primary" isBusy={answering.isPending}>
          {t('flow.next')}
        </Button>
      </DialogActions>
    </form>
  );
}

function Refusal({ error, triesLeft }: { error: Error; triesLeft: number }) {
  const { t } = useTranslation('connections');
  const words = t('flow.words', { returnObjects: true }) as GatewayTextTranslations;
  const { code, message } = asProblem(error);
  if (!REFUSALS.includes(code)) return <ProblemNote error={error} />;
  const [what = message] = message.split('; ');
  return (
    <div role="alert" className="flex gap-2 rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm">
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div>
        <p className="font-medium">{translateGatewayText(words, code === 'CONNECT_REFUSED' ? what : message)}</p>
        <p>{t('flow.triesLeft', { count: triesLeft })}</p>
      </div>
    </div>
  );
}

function TimeLeft({ until }: { until: string }) {
  const { t } = useTranslation('connections');
  const left = Math.max(0, Math.ceil((new Date(until).getTime() - useNow()) / 1000));
  return (
    <span role="timer" className="text-sm text-muted tabular-nums">
      {t('flow.timeLeft', { time: formatCountdown(left) })}
    </span>
  );
}
