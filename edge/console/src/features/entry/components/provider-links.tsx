import { LogIn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../../../ui/button.tsx';

interface ProviderLinksProps {
  providers: readonly { slug: string; name: string }[];
  /** A path inside the console. */
  returnTo: string;
}

/** One link for each identity provider. */
export function ProviderLinks({ providers, returnTo }: ProviderLinksProps) {
  const { t } = useTranslation('entry');
  return providers.map(({ slug, name }) => (
    <a
      key={slug}
      href={`/me/v1/sign-in/oidc/${encodeURIComponent(slug)}?return_to=${encodeURIComponent(`/console${returnTo}`)}`}
      className={buttonVariants()}
    >
      <LogIn className="size-4" aria-hidden />
      {t('signIn.with', { name })}
    </a>
  ));
}
