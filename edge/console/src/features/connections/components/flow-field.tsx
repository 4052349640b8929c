import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { type ConnectStep } from '../queries/flows.ts';
import { type GatewayTextTranslations, translateGatewayText } from './translate-gateway-text.ts';

interface FlowFieldProps {
  field: ConnectStep['fields'][number];
  words: GatewayTextTranslations;
  /** Gets the focus when its step is shown. */
  isFirst: boolean;
}

/** A secret of this length is a document. */
const DOCUMENT_LENGTH = 8_192;

/** A field of a step. It keeps what is typed itself, so that no secret gets into the state of the page. */
export function FlowField({ field, words, isFirst }: FlowFieldProps) {
  const { name, kind, required, placeholder, choices, max_length: maxLength } = field;
  const label = translateGatewayText(words, field.label);
  const focus = (element: HTMLElement | null) => {
    if (isFirst) element?.focus();
  };
  const common = { name, label, required };
  if (kind === 'choice') {
    return (
      <SelectField {...common} ref={focus}>
        {choices.map(({ value, label: choice }) => (
          <option key={value} value={value}>
            {translateGatewayText(words, choice)}
          </option>
        ))}
      </SelectField>
    );
  }
  const text = { ...common, ref: focus, maxLength, placeholder: placeholder ?? '', spellCheck: false, autoCapitalize: 'off' };
  if (kind === 'password' && maxLength > DOCUMENT_LENGTH)
    return <TextArea {...text} rows={6} autoComplete="off" className="font-mono text-xs" />;
  if (kind === 'password') return <TextField {...text} type="password" autoComplete="new-password" />;
  if (kind === 'one_time_code')
    return <TextField {...text} type="text" inputMode="numeric" autoComplete="one-time-code" className="max-w-48 font-mono text-lg" />;
  return <TextField {...text} type={kind === 'url' ? 'url' : 'text'} autoComplete="off" />;
}
