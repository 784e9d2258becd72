// Stretches of time that a plot shows: one that begins now, or one between two moments.
import { absolute } from './format.js';
import { dayFrom, moment, wall } from './times.js';

const MINUTE = 6e4;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST_BARS = 48;

const floor = (ms) => (now) => Math.floor(now / ms) * ms;
const sixHours = (now) => {
  const date = wall(now);
  return moment(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), Math.floor(date.getUTCHours() / 6) * 6)));
};
// Months are counted in UTC by the routes.
const month = (now) => Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth(), 1);
const months = (from, n) => Date.UTC(new Date(from).getUTCFullYear(), new Date(from).getUTCMonth() + n, 1);
const steps = (ms) => (from, n) => from + n * ms;

/** Ranges: the length of a bar as the routes take it, how many bars there are, where the first begins and where others lie. */
export const RANGES = {
  hour: { step: '2m', bars: 30, start: floor(2 * MINUTE), add: steps(2 * MINUTE), name: 'Hour', next: 'the next hour' },
  day: { step: 'hour', bars: 24, start: floor(HOUR), add: steps(HOUR), name: 'Day', next: 'the next 24 hours' },
  week: { step: '6h', bars: 28, start: sixHours, add: steps(6 * HOUR), name: 'Week', next: 'the next 7 days' },
  month: { step: 'day', bars: 30, start: (now) => dayFrom(now), add: steps(DAY), name: 'Month', next: 'the next 30 days' },
  year: { step: 'month', bars: 12, start: month, add: months, name: 'Year', next: 'the next 12 months' },
};

export const rangeOf = (name) => (RANGES[name] ? name : 'day');

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);

/** The length of a bar of a stretch, so that it has no more bars than can be told apart. */
const stepOf = (length) => STEPS.find((step) => length / step <= MOST_BARS) || Math.ceil(length / MOST_BARS / DAY) * DAY;

/**
 * The times of a range that begins now, with as much past as future: `past` and `to` are its ends, `from` and `present` those
 * of the bar of the present.
 */
export const aheadOf = (range, now = Date.now()) => {
  const { start, add, bars, step, next } = RANGES[range];
  const from = start(now);
  return { past: add(from, -bars), from, present: add(from, 1), to: add(from, bars), step, next: `in ${next}`, head: `Due in ${next.replace('the next ', '')}`, isChosen: false };
};

/** The times of a stretch between two moments, which begins with whole minutes. */
export const between = (first, last, now = Date.now()) => {
  const past = Math.floor(first / MINUTE) * MINUTE;
  const to = Math.max(past + MINUTE, Math.ceil(last / MINUTE) * MINUTE);
  const step = stepOf(to - past);
  const bar = (ms) => past + Math.floor((ms - past) / step) * step;
  const from = Math.min(to, Math.max(past, bar(now)));
  return {
    past,
    from,
    present: Math.min(to, from + (now >= past ? step : 0)),
    to,
    step: `${step / MINUTE}m`,
    next: `from ${absolute(past, false)} to ${absolute(to, false)}`,
    head: 'Due in this time',
    isChosen: true,
  };
};
