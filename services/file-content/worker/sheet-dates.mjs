const DAY_MS = 86_400_000;
/** Day 0 of the two calendars. The first has a 29 February 1900, which did not exist, so its days before March 1900 are off by one. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The last day of Excel: 31 December 9999. */
const LAST_DAY = 2_958_465;
/** Excel's own limit of a format. */
const MAX_CODE = 255;

/**
 * True for a number format that shows a date or a time.
 * @param {number} id
 * @param {string | undefined} code of a format that is not built in
 */
export function isDateFormat(id, code) {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  const bare = bareCode(code.slice(0, MAX_CODE));
  return /[ymdhs]/i.test(bare) && !/general/i.test(bare);
}

/**
 * A format without its letters in quotes, behind a backslash and in brackets ([Red], [$-409]), which are no part of a date; [h] is. One pass: a
 * style sheet may hold any number of formats.
 * @param {string} code
 */
function bareCode(code) {
  let bare = '';
  for (let at = 0; at < code.length; at++) {
    const sign = code[at];
    if (sign === '\\') at++;
    else if (sign === '"' || sign === '[') {
      const end = code.indexOf(sign === '"' ? '"' : ']', at + 1);
      const inside = code.slice(at + 1, end < 0 ? code.length : end);
      if (sign === '[' && /^(h+|m+|s+)$/i.test(inside)) bare += inside;
      at = end < 0 ? code.length : end;
    } else bare += sign;
  }
  return bare;
}

/**
 * A serial number as ISO date, with the time where there is one; as time alone below one day.
 * @param {number} serial
 * @param {boolean} is1904
 */
export function showDate(serial, is1904) {
  if (serial < 0 || serial > LAST_DAY) return String(serial);
  const date = new Date(Math.round(((is1904 ? EPOCH_1904 : EPOCH_1900) + serial * DAY_MS) / 1_000) * 1_000);
  const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
  if (serial < 1) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}
