import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../session/use-permission-check.ts';
import { SCREENS, type Screen } from './screens.ts';

/** The screens that the person may see. */
export function useScreens(workspaceId: string): readonly (typeof SCREENS)[number][] {
  const may = usePermissionCheck();
  return SCREENS.filter((screen: Screen) => !screen.permissions || screen.permissions.some((name) => may(name, workspaceId)));
}

/** Links to the screens of a workspace. */
export function Navigation({ workspaceId, onFollow }: { workspaceId: string; onFollow: () => void }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('navigation')}>
      <ul className="flex flex-col gap-0.5">
        {useScreens(workspaceId).map(({ name, to, icon: Icon }) => (
          <li key={name}>
            <Link
              to={to}
              params={{ workspaceId }}
              activeOptions={{ exact: name === 'home', includeSearch: false }}
              onClick={onFollow}
              className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 hover:bg-canvas data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent"
            >
              <Icon className="size-4" aria-hidden />
              {t(`screens.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
