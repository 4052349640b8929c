import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PlugZap, Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { capabilitiesQuery } from '../queries/chat-options.ts';

/** Names of the texts that one may begin with. */
const EXAMPLES = ['ask', 'draw', 'table'] as const;

interface PromptSuggestionsProps {
  workspaceId: string;
  onSay: (text: string) => void;
}

/** What one may begin with; without an account that answers, how to connect one. */
export function PromptSuggestions({ workspaceId, onSay }: PromptSuggestionsProps) {
  const { t } = useTranslation('playground');
  const { data } = useQuery(capabilitiesQuery(workspaceId));
  if (data?.capabilities.chat.enabled === false)
    return (
      <EmptyState
        icon={PlugZap}
        title={t('noAccount.title')}
        action={
          <Link to="/w/$workspaceId/connections" params={{ workspaceId }} className={buttonVariants({ look: 'primary' })}>
            {t('noAccount.action')}
          </Link>
        }
      >
        {t('noAccount.text')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={Sparkles}
      title={t('empty.title')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {EXAMPLES.map((name) => (
            <Button key={name} onClick={() => onSay(t(`examples.${name}`))}>
              {t(`examples.${name}`)}
            </Button>
          ))}
        </div>
      }
    >
      {t('empty.text')}
    </EmptyState>
  );
}
