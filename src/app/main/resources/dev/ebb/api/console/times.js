// One way of showing times, for all screens: in the zone of the reader, in UTC, or as seen from now.
const KEPT = 'ebb.times';

/** Ways to show times, and their names. */
export const WAYS = [
  ['local', 'Local'],
  ['utc', 'UTC'],
  ['relative', 'Relative'],
];

const stored = () => {
  const kept = localStorage.getItem(KEPT);
  return WAYS.some(([key]) => key === kept) ? kept : 'local';
};

let way = stored();

export const times = {
  get: () => way,
  set: (value) => {
    way = value;
    localStorage.setItem(KEPT, value);
  },
};

/** The zone of clocks and days on the page, as formats take it; undefined for that of the reader. */
export const zone = () => (way === 'utc' ? 'UTC' : undefined);

const offset = (ms) => (way === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 6e4);

/** A date whose UTC fields are those of the clock on the page. */
export const wall = (at) => {
  const ms = new Date(at).getTime();
  return new Date(ms - offset(ms));
};

/** The moment at which the clock on the page shows the UTC fields of that date. */
export const moment = (date) => {
  const ms = date.getTime();
  // At a change of the clock, the offset before it may differ from that after it.
  return ms + offset(ms + offset(ms));
};

/** The beginning of the day that many days from the one of a moment, by the clock on the page. */
export const dayFrom = (at, days = 0) => {
  const date = wall(at);
  return moment(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days)));
};

/** A date whose local fields are those of the clock on the page. */
export const clock = (ms) => (way === 'utc' ? new Date(ms + new Date(ms).getTimezoneOffset() * 6e4) : new Date(ms));
