// The figures of the tide: ranges of time, namespaces with their colours, and the bars of a plot.
import { ask, get, may } from './rest.js';
import { count } from './format.js';
import { COLOURS, colours } from './colours.js';
import { aheadOf } from './spans.js';
import { CAUSE_COLOURS, cause } from './words.js';

/** Forecast and history of a stretch; `times()` has its ends as of now. */
export const load = (times) => async (signal) => {
  const { past, from, present, to, step } = times();
  const hasFuture = from < to;
  const [forecast, history] = await Promise.all([
    // What is stored is shown beside a stretch of the past as well.
    get('/v1/forecast', { from, to: hasFuture ? to : from + 6e4, step: hasFuture ? step : '1m' }, signal),
    may('GET /v1/history') && past < present ? get('/v1/history', { from: past, to: present, step }, signal) : null,
  ]);
  return { forecast, history, hasFuture };
};

/** The forecast of a range if a file of policies were applied, of one namespace or of all. */
export const forecastOf = (range, file, namespace, signal) => {
  const { from, to, step } = aheadOf(range);
  return ask('POST', '/v1/forecast', { query: { from, to, step, namespace }, yaml: file, signal });
};

/** The share of the stored events whose due times have been read; without it a figure is only a guess. */
export const readShare = ({ readEvents, stored }) => (stored.events > 0 ? Math.min(1, readEvents / stored.events) : 1);

const WIDEST = COLOURS.length;
const NOTHING = { events: 0, bytes: 0 };

export const plus = (a, b) => ({ events: a.events + b.events, bytes: a.bytes + b.bytes });
export const sum = (amounts) => amounts.reduce(plus, NOTHING);
const measure = (unit) => (amount) => (unit === 'bytes' ? amount.bytes : amount.events);

/** Namespaces that get a colour of their own, and the sum of the rest. */
export const namespaces = (forecast) => {
  const shown = forecast.namespaces.slice(0, WIDEST);
  const rest = [...forecast.namespaces.slice(WIDEST), ...(forecast.others ? [forecast.others] : [])];
  const tint = colours(shown.map((one) => one.namespace));
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
const byCause = (history) => {
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
      // What goes lies below what went: the bar of the present may be cut at its top.
      ...[...rows].reverse().map((row) => ({ name: row.name, colour: row.colour, values: [...blank, ...due(row)] })),
      ...(history ? causeLayers(history, unit, buckets.length) : []),
    ],
  };
};

/** Each namespace that the forecast names, in a row of its own, and the rest that it only adds up. */
export const eachNamespace = (forecast, rows) => {
  const rest = forecast.namespaces.slice(WIDEST).map((one) => ({ ...one, name: one.namespace, colour: '--c-rest' }));
  const others = forecast.others ? [{ ...forecast.others, namespace: null, name: count(forecast.others.namespaces, 'other'), colour: '--c-rest' }] : [];
  return [...rows.filter((row) => row.namespace !== null), ...rest, ...others];
};

/** The first and the last bucket between two times, or null if there is none. */
export const within = (buckets, { from, to }) => {
  const first = buckets.findIndex((bucket) => bucket.to > from && bucket.from < to);
  const last = buckets.findLastIndex((bucket) => bucket.to > from && bucket.from < to);
  return first < 0 ? null : [first, last];
};
