import { useEffect, useEffectEvent, useState } from 'react';
import { Input } from './field.tsx';

/** The list follows what is typed after this long without a key. */
const PAUSE_MS = 250;

interface SearchBoxProps {
  label: string;
  /** What is looked for now. */
  value: string;
  /** Called with a text to look for, without space around it; empty for everything. */
  onSearch: (text: string) => void;
  className?: string;
}

/** A field whose text a list follows. A letter is there at once, and a word is one search. */
export function SearchBox({ label, value, onSearch, className }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (value !== followed) {
    // It has changed: by what was typed here, or by a link.
    setFollowed(value);
    if (value !== text.trim()) setText(value);
  }
  const search = useEffectEvent(() => {
    if (text.trim() !== value) onSearch(text.trim());
  });
  useEffect(() => {
    const timer = setTimeout(search, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={500}
      onChange={({ target }) => setText(target.value)}
      {...(className !== undefined && { className })}
    />
  );
}
