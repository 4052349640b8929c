import { type UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { type ActionInput } from '../queries/catalog.ts';

interface InputFieldProps {
  input: ActionInput;
  control: UseFormRegisterReturn;
  error: string | undefined;
}

/** The control for one input, by its type. */
export function InputField({ input: { name, type, required, description }, control, error }: InputFieldProps) {
  const { t } = useTranslation('actions');
  const label = (
    <>
      <code>{name}</code> {required ? null : <span className="font-normal text-muted">{t('optional')}</span>}
    </>
  );
  const field = { ...control, label, error, required: false, 'aria-required': required, hint: description || undefined };
  switch (type) {
    case 'file':
      return <TextField {...field} type="file" className="py-1 text-sm" />;
    case 'boolean':
      return (
        <SelectField {...field}>
          <option value="">{t('form.noChoice')}</option>
          <option value="true">{t('form.yes')}</option>
          <option value="false">{t('form.no')}</option>
        </SelectField>
      );
    case 'number':
    case 'integer':
      return <TextField {...field} inputMode="decimal" autoComplete="off" />;
    case 'object':
    case 'array':
      return <TextArea {...field} rows={5} spellCheck={false} className="font-mono text-sm" placeholder={type === 'array' ? '[]' : '{}'} />;
    case 'string':
      return <TextArea {...field} rows={2} />;
  }
}
