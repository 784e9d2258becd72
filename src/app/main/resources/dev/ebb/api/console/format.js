// Numbers, sizes, durations and times as people read them.
import { wall, zone } from './times.js';

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const one = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

// Controls, and signs that are not seen but turn or hide others.
export const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/u;
const ALL_UNSEEN = new RegExp(UNSEEN.source, 'gu');

// Letters that are written from right to left, and turn what stands beside them.
const TURNING = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The number of a sign that is not seen. */
export const signNumber = (sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The text with each sign that is not seen written otherwise. */
export const withoutUnseen = (text, write) => text.replace(ALL_UNSEEN, write);

/** A name inside a text that is no markup: a title, a choice, a line of news. What is not seen is shown by its number. */
export const plain = (text) => {
  const shown = withoutUnseen(String(text ?? ''), signNumber);
  return TURNING.test(shown) ? `\u2068${shown}\u2069` : shown;
};

export const number = (value) => (value === null || value === undefined ? '–' : whole.format(value));
export const brief = (value) => (Math.abs(value) < 10000 ? whole.format(value) : short.format(value));

export const bytes = (value) => {
  if (value === null || value === undefined) {
    return '–';
  }
  let unit = 0;
  let left = value;
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${unit === 0 ? whole.format(left) : one.format(left)}\u00a0${UNITS[unit]}`;
};

export const percent = (share) => `${share > 0 && share < 0.001 ? '< 0.1' : one.format(share * 100)}\u00a0%`;
export const count = (value, thing, things = `${thing}s`) => `${number(value)} ${value === 1 ? thing : things}`;

const STEPS = [
  ['year', 31536e6],
  ['month', 2592e6],
  ['day', 864e5],
  ['hour', 36e5],
  ['minute', 6e4],
  ['second', 1e3],
];
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });

/** The time as seen from now, such as 'in 3 days'. */
export const fromNow = (at, now = Date.now()) => {
  const ms = new Date(at).getTime() - now;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(ms) >= length) || STEPS[STEPS.length - 1];
  return relative.format(Math.round(ms / size), unit);
};

/** A length of time in one or two units. */
export const duration = (ms) => {
  if (ms < 1000) {
    return `${whole.format(ms)} ms`;
  }
  const [unit, size] = STEPS.find(([, length]) => ms >= length);
  const n = ms / size;
  return `${one.format(n)} ${unit}${n === 1 ? '' : 's'}`;
};

const DAY = { day: 'numeric', month: 'short' };
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const formats = new Map();
const format = (key, options) => {
  const timeZone = zone();
  const full = `${key} ${timeZone}`;
  if (!formats.has(full)) {
    formats.set(full, new Intl.DateTimeFormat(undefined, { ...options, timeZone }));
  }
  return formats.get(full);
};

/** Date and clock; the year if it is another one. */
export const absolute = (at, withSeconds = true) => {
  const date = new Date(at);
  const year = wall(at).getUTCFullYear() === wall(Date.now()).getUTCFullYear() ? {} : { year: 'numeric' };
  const seconds = withSeconds ? { second: '2-digit' } : {};
  return format(`l${withSeconds}${'year' in year}`, { ...DAY, ...CLOCK, ...seconds, ...year }).format(date);
};

/** The stretch of a bucket, as short as its length allows. */
export const stretch = (from, to) => {
  const a = new Date(from);
  const b = new Date(to);
  const length = to - from;
  const isFull = (ms) => wall(ms).getUTCHours() === 0 && wall(ms).getUTCMinutes() === 0;
  // Months are counted in UTC by the routes.
  if (length > 27 * 864e5 && length < 32 * 864e5 && a.getUTCDate() === 1 && b.getUTCDate() === 1) {
    return a.toLocaleDateString(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  }
  const day = format('wd', { weekday: 'short', ...DAY });
  if (length >= 864e5 && isFull(from) && isFull(to)) {
    const last = day.format(new Date(to - 1));
    return last === day.format(a) ? last : `${day.format(a)} – ${last}`;
  }
  const clock = format('c', CLOCK);
  const isOneDay = day.format(a) === day.format(new Date(to - 1));
  return isOneDay ? `${day.format(a)} ${clock.format(a)}–${clock.format(b)}` : `${day.format(a)} ${clock.format(a)} – ${day.format(b)} ${clock.format(b)}`;
};

/** The name of a mark on an axis of time with that many seconds between two marks: the clock, the day or the month. */
export const tickName = (at, step) => {
  const date = new Date(at);
  const shown = wall(at);
  if (step >= 28 * 86400) {
    return format(shown.getUTCMonth() === 0 ? 'ty' : 'tm', shown.getUTCMonth() === 0 ? { year: 'numeric' } : { month: 'short' }).format(date);
  }
  const isDay = step >= 86400 || (shown.getUTCHours() === 0 && shown.getUTCMinutes() === 0);
  return format(isDay ? 'td' : 'c', isDay ? DAY : CLOCK).format(date);
};

const WORDS = { d: 864e5, h: 36e5, m: 6e4, s: 1e3, ms: 1, w: 6048e5, mo: 2592e6 };

/** The milliseconds of a duration as policies write it, or null. */
export const parseDuration = (text) => {
  const match = /^(\d+)(ms|s|mo|m|h|d|w)$/.exec(String(text).trim());
  return match ? Number(match[1]) * WORDS[match[2]] : null;
};
