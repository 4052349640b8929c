import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';

interface ConnectionModelsProps {
  models: readonly string[];
  /** Those that take no turns for a while. */
  resting: readonly string[];
}

/** More are shown on demand. */
const AT_FIRST = 40;

/** The models that a connection offers. */
export function ConnectionModels({ models, resting }: ConnectionModelsProps) {
  const { t } = useTranslation('connections');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? models : models.slice(0, AT_FIRST);
  return (
    <Card title={t('models.title')}>
      {models.length === 0 && <p className="text-sm text-muted">{t('models.none')}</p>}
      <ul className="flex flex-wrap gap-1.5">
        {shown.map((model) => (
          <li key={model} className="max-w-full">
            <Badge tone={resting.includes(model) ? 'warn' : 'neutral'}>
              <span className="max-w-[70vw] truncate sm:max-w-md">{resting.includes(model) ? t('models.resting', { model }) : model}</span>
            </Badge>
          </li>
        ))}
      </ul>
      {shown.length < models.length && (
        <Button size="small" className="mt-3" onClick={() => setWhole(true)}>
          {t('models.all', { count: models.length })}
        </Button>
      )}
    </Card>
  );
}
