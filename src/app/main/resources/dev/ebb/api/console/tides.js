// The figures of the tide: ranges of time, namespaces with their colours, and the bars of a plot.
import { ask, get, may } from './rest.js';
import { count } from './format.js';
import { CAUSE_COLOURS, cause } from './words.js';

const MINUTE = 6e4;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const floor = (ms) => (now) => Math.floor(now / ms) * ms;
const midnight = (now) => new Date(now).setHours(0, 0, 0, 0);
const sixHours = (now) => {
  const date = new Date(now);
  return date.setHours(Math.floor(date.getHours() / 6) * 6, 0, 0, 0);
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
  month: { step: 'day', bars: 30, start: midnight, add: steps(DAY), name: 'Month', next: 'the next 30 days' },
  year: { step: 'month', bars: 12, start: month, add: months, name: 'Year', next: 'the next 12 months' },
};

export const rangeOf = (name) => (RANGES[name] ? name : 'day');

/** The times of a range that begins now: the bar of the present, its end, and how far the past and the future reach. */
const times = (range) => {
  const { start, add, bars } = RANGES[range];
  const from = start(Date.now());
  return { past: add(from, -bars), from, present: add(from, 1), to: add(from, bars) };
};

/** Forecast and history of a range. */
export const load = (range) => async (signal) => {
  const { past, from, present, to } = times(range);
  const { step } = RANGES[range];
  const [forecast, history] = await Promise.all([
    get('/v1/forecast', { from, to, step }, signal),
    may('GET /v1/history') ? get('/v1/history', { from: past, to: present, step }, signal) : null,
  ]);
  return { forecast, history };
};

/** The forecast of a range if a file of policies were applied, of one namespace or of all. */
export const forecastOf = (range, file, namespace, signal) => {
  const { from, to } = times(range);
  return ask('POST', '/v1/forecast', { query: { from, to, step: RANGES[range].step, namespace }, yaml: file, signal });
};

const COLOURS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];
const WIDEST = COLOURS.length;
const NOTHING = { events: 0, bytes: 0 };

export const plus = (a, b) => ({ events: a.events + b.events, bytes: a.bytes + b.bytes });
export const sum = (amounts) => amounts.reduce(plus, NOTHING);
export const measure = (unit) => (amount) => (unit === 'bytes' ? amount.bytes : amount.events);

/** Colours by the place of a name among all, so that a namespace keeps its colour when another grows. */
const colours = (names) => new Map([...names].sort().map((name, i) => [name, COLOURS[i % WIDEST]]));

/** Namespaces that get a colour of their own, and the sum of the rest; `known` are all, where only some are shown. */
export const namespaces = (forecast, known = []) => {
  const shown = forecast.namespaces.slice(0, WIDEST);
  const rest = [...forecast.namespaces.slice(WIDEST), ...(forecast.others ? [forecast.others] : [])];
  const tint = colours([...new Set([...known, ...shown.map((one) => one.namespace)])]);
  const rows = shown.map((one) => ({ ...one, name: one.namespace, colour: tint.get(one.namespace) }));
  if (rest.length) {
    const add = (field) => sum(rest.map((one) => one[field]));
    rows.push({
      namespace: null,
      name: count(rest.reduce((n, one) => n + (one.namespaces || 1), 0), 'other'),
      colour: '--c-rest',
      stored: add('stored'),
      overdue: add('overdue'),
      sooner: add('sooner'),
      later: add('later'),
      never: add('never'),
      due: forecast.buckets.map((bucket, i) => ({ ...sum(rest.map((one) => one.due[i])), exact: rest.every((one) => one.due[i].exact) })),
    });
  }
  return rows;
};

const ORDER = Object.keys(CAUSE_COLOURS);

/** Deletes by cause over all namespaces: pairs of the cause and its amounts by bucket. */
export const byCause = (history) => {
  const all = new Map();
  const add = (entries) =>
    entries.forEach(({ cause: name, deleted }) => {
      const before = all.get(name);
      all.set(name, before ? before.map((amount, i) => plus(amount, deleted[i])) : deleted);
    });
  history.namespaces.forEach((one) => add(one.causes));
  add(history.others || []);
  return [...all.entries()].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
};

/** Layers of a plot of deletes by cause. */
export const causeLayers = (history, unit, length = history.buckets.length) => {
  const blank = new Array(Math.max(0, length - history.buckets.length)).fill(null);
  return byCause(history).map(([name, deleted]) => ({
    name: cause(name),
    colour: CAUSE_COLOURS[name] || '--p3',
    isPast: true,
    values: [...deleted.map(measure(unit)), ...blank],
  }));
};

/**
 * The bars of past and future in one row of buckets; the bar of the present has both. `overdue(row)` is added to the first
 * bar: what is due already.
 */
export const bars = (forecast, history, rows, unit, overdue = () => NOTHING) => {
  const first = forecast.buckets[0].from;
  const past = history ? history.buckets.filter((bucket) => bucket.from < first) : [];
  const buckets = [...past, ...forecast.buckets];
  const blank = new Array(past.length).fill(null);
  const value = measure(unit);
  const due = (row) => row.due.map((amount, i) => value(amount) + (i === 0 ? value(overdue(row)) : 0));
  return {
    buckets,
    start: past.length,
    layers: [
      ...(history ? causeLayers(history, unit, buckets.length) : []),
      ...[...rows].reverse().map((row) => ({ name: row.name, colour: row.colour, values: [...blank, ...due(row)] })),
    ],
  };
};

/** The first and the last bucket between two times, or null if there is none. */
export const within = (buckets, { from, to }) => {
  const first = buckets.findIndex((bucket) => bucket.to > from && bucket.from < to);
  const last = buckets.findLastIndex((bucket) => bucket.to > from && bucket.from < to);
  return first < 0 ? null : [first, last];
};
