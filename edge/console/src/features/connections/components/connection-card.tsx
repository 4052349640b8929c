import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { type ConnectionUsage } from '../queries/connection-usage.ts';
import { type Connection } from '../queries/connections.ts';
import { ConnectionCommands } from './connection-commands.tsx';
import { ConnectionFigures } from './connection-figures.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { ConnectionTrouble } from './connection-trouble.tsx';

interface ConnectionCardProps {
  workspaceId: string;
  connection: Connection;
  /** When it was read, from which its countdown runs. */
  readAt: number;
  usage: ConnectionUsage | undefined;
  inFlight: number | undefined;
}

/** A connection at a glance. It is drawn anew only when something of it has changed, so that scrolling draws what comes into sight. */
export const ConnectionCard = memo(function ConnectionCard({ workspaceId, connection, readAt, usage, inFlight }: ConnectionCardProps) {
  const { t } = useTranslation('connections');
  return (
    <article aria-label={connection.label} className="flex h-full flex-col gap-3 rounded-xl border bg-surface p-4">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="truncate text-base">
            <Link
              to="/w/$workspaceId/connections/$connectionId"
              params={{ workspaceId, connectionId: connection.id }}
              className="font-semibold hover:underline"
            >
              {connection.label}
            </Link>
          </h2>
          <p className="truncate text-sm text-muted">{connection.provider}</p>
        </div>
        <ConnectionCommands workspaceId={workspaceId} connection={connection} look="menu" />
      </div>
      <p className="flex flex-wrap gap-1.5">
        <ConnectionStatus connection={connection} />
        {connection.is_default && <Badge tone="accent">{t('isDefault')}</Badge>}
      </p>
      <ConnectionTrouble connection={connection} readAt={readAt} />
      <ConnectionFigures connection={connection} usage={usage} inFlight={inFlight} />
    </article>
  );
});
