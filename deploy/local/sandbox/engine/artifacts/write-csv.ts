type Row = readonly (string | number)[];

const PLANETS: readonly Row[] = [
  ['name', 'distance_from_sun_million_km', 'diameter_km', 'moons'],
  ['Mercury', 57.9, 4879, 0],
  ['Venus', 108.2, 12_104, 0],
  ['Earth', 149.6, 12_756, 1],
  ['Mars', 227.9, 6792, 2],
  ['Jupiter', 778.6, 142_984, 95],
  ['Saturn', 1433.5, 120_536, 146],
  ['Uranus', 2872.5, 51_118, 28],
  ['Neptune', 4495.1, 49_528, 16],
];
const MONTHS = 'January,February,March,April,May,June,July,August,September,October,November,December'.split(',');
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const WEEKDAYS = 'Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday'.split(',');

const KNOWN: readonly (readonly [RegExp, readonly Row[]])[] = [
  [/\bplanets?\b/i, PLANETS],
  [/\bmonths?\b/i, [['month', 'days'], ...MONTHS.map((month, at): Row => [month, DAYS[at] ?? 30])]],
  [/\b(?:week)?days?\b/i, [['number', 'day'], ...WEEKDAYS.map((day, at): Row => [at + 1, day])]],
];

const ROWS = 10;

function made(topic: string): readonly Row[] {
  return [['number', 'item', 'length'], ...Array.from({ length: ROWS }, (_, at): Row => [at + 1, `${topic} ${at + 1}`, topic.length + at])];
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a CSV about a topic: facts about planets, months or days, generated rows otherwise. The first row names the columns. */
export function writeCsv(topic: string): Buffer {
  const rows = KNOWN.find(([pattern]) => pattern.test(topic))?.[1] ?? made(topic === '' ? 'item' : topic);
  return Buffer.from(rows.map((row) => `${row.map(field).join(',')}\r\n`).join(''));
}
