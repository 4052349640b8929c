import { type FieldErrors, type FieldValues, type Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

/** What is wrong with each field of a form, in words: the messages of its schema are keys of the texts `invalid.*`. */
export function useFieldErrors<Values extends FieldValues>(errors: FieldErrors<Values>): (name: Path<Values>) => string | undefined {
  const { t } = useTranslation();
  return (name) => {
    const message = (errors as Record<string, { message?: string } | undefined>)[name]?.message;
    return message === undefined ? undefined : t(`invalid.${message}`);
  };
}
