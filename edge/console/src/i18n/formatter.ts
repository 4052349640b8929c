import { useTranslation } from 'react-i18next';

/** Formats numbers, dates and durations as the reader writes them. */
export interface Formatter {
  number: (value: number) => string;
  /** 12.3K */
  compact: (value: number) => string;
  percent: (share: number) => string;
  bytes: (count: number) => string;
  /** 840 ms, 2.4 s */
  milliseconds: (value: number) => string;
  /** The duration of a window: 1 day, 12 hours */
  duration: (seconds: number) => string;
  date: (time: string | Date) => string;
  dateTime: (time: string | Date) => string;
  time: (time: string | Date) => string;
  /** Nov 22, 3 PM */
  hour: (time: string | Date) => string;
  /** "in 3 minutes", "2 days ago" */
  relative: (time: string | Date, now?: number) => string;
  /** The same where there is little room: "2 days ago", "5 min. ago" */
  relativeShort: (time: string | Date, now?: number) => string;
  language: string;
}

const known = new Map<string, Formatter>();

/** Returns the formatter of the language in use. */
export function useFormatter(): Formatter {
  const { i18n } = useTranslation();
  return getFormatter(i18n.language);
}

/** Returns the formatter of a language. Each is created once, as Intl objects are expensive to create. */
export function getFormatter(language: string): Formatter {
  const made = known.get(language) ?? make(language);
  known.set(language, made);
  return made;
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const SPAN_UNITS = ['day', 'hour', 'minute', 'second'] as const;
const SPAN_SECONDS = { day: 86_400, hour: 3600, minute: 60, second: 1 } as const;
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function make(language: string): Formatter {
  const locale = language === 'zh' ? 'zh-Hans' : language;
  const number = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const hour = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: 'numeric' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const relativeShort = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const relativeOf =
    (written: Intl.RelativeTimeFormat) =>
    (at: string | Date, now = Date.now()) => {
      const distance = new Date(at).getTime() - now;
      const [name, ms] = STEPS.find(([, length]) => Math.abs(distance) >= length) ?? (['second', 1000] as const);
      return written.format(Math.trunc(distance / ms), name);
    };
  const unit = (name: string, digits: number) => {
    // The short form of several bytes is that of one.
    const unitDisplay = name === 'byte' ? 'long' : 'short';
    return new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits });
  };
  const milliseconds = unit('millisecond', 0);
  const seconds = unit('second', 1);
  const sizes = BYTE_UNITS.map((name) => unit(name, 1));
  return {
    language,
    number: (value) => number.format(value),
    compact: (value) => compact.format(value),
    percent: (share) => percent.format(share),
    bytes: (count) => {
      const step = count < 1 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), BYTE_UNITS.length - 1);
      return (sizes[step] ?? number).format(count / 1000 ** step);
    },
    milliseconds: (value) => (value < 1000 ? milliseconds.format(Math.round(value)) : seconds.format(value / 1000)),
    duration: (length) => {
      const name = SPAN_UNITS.find((one) => length % SPAN_SECONDS[one] === 0) ?? 'second';
      return new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(length / SPAN_SECONDS[name]);
    },
    date: (at) => date.format(new Date(at)),
    dateTime: (at) => dateTime.format(new Date(at)),
    time: (at) => time.format(new Date(at)),
    hour: (at) => hour.format(new Date(at)),
    relative: relativeOf(relative),
    relativeShort: relativeOf(relativeShort),
  };
}
