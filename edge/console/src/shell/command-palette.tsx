import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { useScreens } from './navigation.tsx';

interface CommandPaletteProps {
  workspaceId: string | undefined;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Everything by keyboard: Ctrl or Cmd and K, some letters, Enter. */
export function CommandPalette({ workspaceId, isOpen, onOpenChange }: CommandPaletteProps) {
  const { t } = useTranslation();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onOpenChange(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, [onOpenChange]);
  return (
    <Dialog isOpen={isOpen && workspaceId !== undefined} onClose={() => onOpenChange(false)} title={t('palette.title')}>
      {workspaceId !== undefined && <Commands workspaceId={workspaceId} onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Commands({ workspaceId, onDone }: { workspaceId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const wanted = text.trim().toLowerCase();
  const toConversations = () => navigate({ to: '/w/$workspaceId/conversations', params: { workspaceId }, search: { q: text.trim() } });
  const screens = useScreens(workspaceId)
    .map(({ name, to }) => ({ label: t(`screens.${name}`), go: () => navigate({ to, params: { workspaceId } }) }))
    .filter(({ label }) => label.toLowerCase().includes(wanted));
  const commands = wanted ? [...screens, { label: t('palette.search', { text: text.trim() }), go: toConversations }] : screens;
  const at = Math.min(chosen, commands.length - 1);
  const run = (index: number) => {
    void commands[index]?.go();
    onDone();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(at + 1, commands.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(at - 1, 0));
    else if (event.key === 'Enter') run(at);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-2">
      <Input
        aria-label={t('palette.title')}
        placeholder={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        // The window is there for this field: what is typed after its keys belongs into it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
      />
      <div id={id} role="listbox" aria-label={t('palette.title')} className="max-h-80 overflow-y-auto">
        {commands.map(({ label }, index) => (
          // The input above takes the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={label}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(index)}
            className={clsx('cursor-pointer rounded-md px-3 py-2', index === at && 'bg-accent-soft')}
          >
            {label}
          </div>
        ))}
      </div>
    </div>
  );
}
