import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { connectionsQuery, projectsQuery } from '../../../live/conversations.ts';
import { SelectField } from '../../../ui/field.tsx';
import { capabilitiesQuery, modelsQuery, routeProfilesQuery } from '../queries/chat-options.ts';

/** Options of a chat; the gateway chooses a value that is absent. */
export interface ChatOptions {
  model?: string | undefined;
  connection?: string | undefined;
  profile?: string | undefined;
  project?: string | undefined;
}

interface ChatOptionsBarProps {
  workspaceId: string;
  choice: ChatOptions;
  onChoose: (change: ChatOptions) => void;
  /** A conversation stays with its account and its project. */
  isBound: boolean;
}

/** Lets the user choose the model, and for a new conversation the account, the route profile and the project. */
export function ChatOptionsBar({ workspaceId, choice, onChoose, isBound }: ChatOptionsBarProps) {
  const { t } = useTranslation('playground');
  const models = useQuery(modelsQuery(workspaceId));
  const connections = useQuery({ ...connectionsQuery(workspaceId), enabled: !isBound });
  const capabilities = useQuery(capabilitiesQuery(workspaceId));
  const profiles = useQuery({ ...routeProfilesQuery(workspaceId), enabled: !isBound });
  const projects = useQuery({ ...projectsQuery(workspaceId), enabled: !isBound });
  const canChat = ({ provider }: { provider: string }) => capabilities.data?.providers[provider]?.supports.includes('text') !== false;
  const project = projects.data?.find(({ id, slug }) => id === choice.project || slug === choice.project);
  return (
    <div role="group" aria-label={t('choices')} className="grid grid-cols-2 gap-2 lg:grid-cols-4">
      <Choose
        label={t('model')}
        value={choice.model ?? 'auto'}
        onChange={(model) => onChoose({ model: model === 'auto' ? undefined : model })}
        options={withChosen(models.data?.map(({ id }) => ({ value: id, label: id })) ?? [], choice.model ?? 'auto')}
      />
      {!isBound && (
        <>
          <Choose
            label={t('connection')}
            value={choice.connection ?? ''}
            onChange={(connection) => onChoose({ connection: connection || undefined })}
            none={t('anyConnection')}
            options={withChosen(connections.data?.filter(canChat).map(({ label }) => ({ value: label, label })) ?? [], choice.connection)}
          />
          <Choose
            label={t('profile')}
            value={choice.profile ?? ''}
            onChange={(profile) => onChoose({ profile: profile || undefined })}
            none={t('noProfile')}
            options={withChosen(profiles.data?.map(({ slug }) => ({ value: slug, label: slug })) ?? [], choice.profile)}
          />
          <Choose
            label={t('project')}
            value={project?.slug ?? choice.project ?? ''}
            onChange={(slug) => onChoose({ project: slug || undefined })}
            none={t('noProject')}
            options={withChosen(
              projects.data?.map(({ slug, name }) => ({ value: slug, label: name })) ?? [],
              project ? undefined : choice.project,
            )}
          />
        </>
      )}
    </div>
  );
}

interface Option {
  value: string;
  label: string;
}

/** What the address names is an option too, also before the list is there. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (!chosen || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: chosen }];
}

interface ChooseProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The name of no choice. */
  none?: string;
  options: readonly Option[];
}

function Choose({ label, value, onChange, none, options }: ChooseProps) {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
}
