import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { type Connection } from '../queries/connections.ts';
import { cancelFlow, type ConnectFlow, useBeginFlow } from '../queries/flows.ts';
import { ConnectWithKeyForm } from './connect-with-key-form.tsx';
import { ConnectedNote } from './connected-note.tsx';
import { FlowSteps } from './flow-steps.tsx';
import { ProviderChoice } from './provider-choice.tsx';

interface ConnectDialogProps {
  workspaceId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Connects an account: step by step as its provider asks, or at once with a key. */
export function ConnectDialog({ workspaceId, isOpen, onClose }: ConnectDialogProps) {
  const { t } = useTranslation('connections');
  const [way, setWay] = useState<'steps' | 'key'>('steps');
  const { flow, setFlow, begin, leave } = useFlow(workspaceId, onClose);
  const [made, setMade] = useState<Pick<Connection, 'id' | 'label'>>();
  const done = made ?? flow?.connection ?? undefined;
  const close = () => {
    setMade(undefined);
    setWay('steps');
    leave();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={t('connect.title')}
      {...(!flow && !done && { description: t('connect.lead') })}
      isDismissable={done !== undefined}
      size="wide"
    >
      {done ? (
        <ConnectedNote workspaceId={workspaceId} connection={done} onClose={close} />
      ) : flow ? (
        <FlowSteps workspaceId={workspaceId} flow={flow} onFlow={setFlow} onCancel={close} />
      ) : (
        <Tabs
          label={t('connect.ways')}
          value={way}
          onChange={setWay}
          tabs={[
            { name: 'steps', label: t('connect.steps') },
            { name: 'key', label: t('connect.key') },
          ]}
        >
          {way === 'steps' ? (
            <ProviderChoice
              workspaceId={workspaceId}
              isBusy={begin.isPending}
              error={begin.error}
              onChoose={(start) => begin.mutate(start, { onSuccess: setFlow })}
              onCancel={close}
            />
          ) : (
            <ConnectWithKeyForm workspaceId={workspaceId} onMade={setMade} onCancel={close} />
          )}
        </Tabs>
      )}
    </Dialog>
  );
}

/** Signs in to an account again; the connection keeps all that is bound to it. */
export function ReconnectDialog({ workspaceId, connection, isOpen, onClose }: ConnectDialogProps & { connection: Connection }) {
  const { t } = useTranslation('connections');
  const { flow, setFlow, begin, leave } = useFlow(workspaceId, onClose);
  const done = flow?.connection ?? undefined;
  return (
    <Dialog isOpen={isOpen} onClose={leave} title={t('reconnect.title', { label: connection.label })} isDismissable={!flow}>
      {done ? (
        <ConnectedNote workspaceId={workspaceId} connection={done} onClose={leave} />
      ) : flow ? (
        <FlowSteps workspaceId={workspaceId} flow={flow} onFlow={setFlow} onCancel={leave} />
      ) : (
        <div className="flex flex-col gap-3">
          <p>{t('reconnect.text')}</p>
          {begin.error && <ProblemNote error={begin.error} />}
          <DialogActions>
            <Button onClick={leave}>{t('common:cancel')}</Button>
            <Button
              look="primary"
              isBusy={begin.isPending}
              onClick={() => begin.mutate({ connection_id: connection.id }, { onSuccess: setFlow })}
            >
              {t('reconnect.begin')}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

/** The flow of a dialog. Leaving the dialog cancels a flow that is still open. */
function useFlow(workspaceId: string, onClose: () => void) {
  const [flow, setFlow] = useState<ConnectFlow>();
  const begin = useBeginFlow(workspaceId);
  const leave = () => {
    if (flow?.status === 'open') void cancelFlow(workspaceId, flow.id);
    setFlow(undefined);
    begin.reset();
    onClose();
  };
  return { flow, setFlow, begin, leave };
}
