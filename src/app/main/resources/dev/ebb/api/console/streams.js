// Streams: found by namespace, prefix and status, and in several orders.
import { html, useEffect, useState } from './ui.js';
import { get } from './rest.js';
import { useLive, usePages } from './live.js';
import { go, refine, to } from './router.js';
import { bytes, count, number } from './format.js';
import { StreamTabs } from './tabs.js';
import { Card, Empty, Field, Live, More, Name, Table, Time, Title, Unanswered } from './parts.js';

const PAGE = 100;

/** A stream by its whole name; it need not be in the list. */
const ByName = () => {
  const [name, setName] = useState('');
  const open = (event) => {
    event.preventDefault();
    if (name) {
      go(['streams', name]);
    }
  };
  return html`<form class="filters" onSubmit=${open}><${Field} label="Go to a stream by its name" value=${name} onInput=${setName} /><button>Open</button></form>`;
};

const STATES = {
  held: ['held', (row) => row.held],
  open: ['work in progress', (row) => row.protectedEvents > 0],
  notice: ['under notice after an undo', (row) => row.noticeUntil && new Date(row.noticeUntil) > new Date()],
  waiting: ['records wait', (row) => row.parked > 0],
  quarantine: ['quarantine', (row) => Boolean(row.quarantine)],
};

const time = (at) => (at ? new Date(at).getTime() : Infinity);

/** Orders of the list; streams without such a time come last. */
const ORDERS = {
  name: ['name', null],
  events: ['most events first', (a, b) => b.events - a.events],
  bytes: ['biggest first', (a, b) => b.bytes - a.bytes],
  due: ['next due first', (a, b) => time(a.nextDue) - time(b.nextDue)],
  oldest: ['oldest first', (a, b) => time(a.oldest) - time(b.oldest)],
};

/** So many streams are looked through for a state or an order. */
const MOST_READ = 10000;
const MOST_SHOWN = 500;

const state = (row) => html`${row.quarantine && html` <span class="pill bad">quarantine</span>`}${row.parked > 0 && html` <span class="pill warned">${number(row.parked)} waiting</span>`}${row.isAway && html` <span class="pill warned">cannot be read now</span>`}`;

const Found = ({ rows, query }) =>
  rows.length === 0
    ? html`<${Empty} title=${query.prefix || query.namespace || query.state ? 'No stream is like that' : 'There are no streams yet'}>
        ${query.prefix || query.namespace || query.state
          ? html`<p>Names are compared from their beginning, large and small letters apart.</p><button type="button" onClick=${() => refine({ prefix: '', namespace: '', state: '' })}>Show all</button>`
          : html`<p>A stream comes with its first event:</p><pre>echo '{"stream":"orders/eu-1","id":"o-1","type":"order"}' | ebb produce -f -</pre>`}
      </${Empty}>`
    : html`
      <${Table} caption="Streams" rows=${rows} keyOf=${(row) => row.stream} columns=${[
        { head: 'Stream', th: true, cell: (row) => html`<span><a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>${state(row)}</span>` },
        { head: 'Events', num: true, cell: (row) => number(row.events) },
        { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
        { head: 'Protected', num: true, cell: (row) => number(row.protectedEvents) },
        { head: 'Held', cell: (row) => (row.held ? 'held' : html`<span class="muted">no</span>`) },
        { head: 'Oldest', cell: (row) => (row.oldest === null && row.protectedEvents > 0 ? html`<span class="muted">all protected</span>` : html`<${Time} at=${row.oldest} seconds=${false} />`) },
        { head: 'Newest', cell: (row) => html`<${Time} at=${row.newest} seconds=${false} />` },
        { head: 'Next due', cell: (row) => (row.nextDueUnknown ? html`<span class="muted">not known</span>` : html`<${Time} at=${row.nextDue} seconds=${false} />`) },
      ]} />`;

/** A page of streams; where an instance is away, its copies are asked as well. */
const page = async (query, signal) => {
  const answer = await get('/v1/streams', query, signal);
  return answer.unanswered.length > 0 ? get('/v1/streams', { ...query, stale: true }, signal).catch(() => answer) : answer;
};

/** All streams of a state, in an order. */
const sorted = async ({ prefix, namespace, state: wanted, order }, signal) => {
  let rows = [];
  let last = { next: undefined, unanswered: [] };
  do {
    last = await page({ prefix, namespace, limit: 1000, after: last.next }, signal);
    rows = [...rows, ...last.streams];
  } while (last.next && rows.length < MOST_READ);
  const found = STATES[wanted] ? rows.filter(STATES[wanted][1]) : rows;
  const compare = ORDERS[order]?.[1];
  return { rows: (compare ? [...found].sort(compare) : found).slice(0, MOST_SHOWN), next: null, unanswered: last.unanswered, stale: last.stale, found: found.length, read: rows.length, isCut: Boolean(last.next) };
};

/** Streams that this page has seen in a list: those of an instance that is away can be named with them. */
const seen = new Map();

/** The rows, and with them the known streams that an instance which is away keeps from the list. */
const withAway = (rows, { unanswered, next }, { prefix = '', namespace, state: wanted, order }) => {
  if (unanswered?.length === 0) {
    rows.forEach((row) => seen.set(row.stream, row));
    return rows;
  }
  const listed = new Set(rows.map((row) => row.stream));
  const away = [...seen.values()].filter((row) => !listed.has(row.stream) && row.stream.startsWith(prefix) && (!namespace || row.namespace === namespace));
  return next || wanted || (order && order !== 'name') ? rows : [...rows, ...away.map((row) => ({ ...row, isAway: true }))];
};

const Totals = ({ spaces, query, page: shown }) => {
  const all = (spaces || []).filter((one) => !query.namespace || one.namespace === query.namespace);
  const add = (field) => all.reduce((n, one) => n + one[field], 0);
  const isAtLeast = all.some((one) => !one.exact);
  return html`<p class="small muted">${query.namespace ? html`Namespace <${Name} text=${query.namespace} />: ` : 'In all: '}${isAtLeast ? 'at least ' : ''}${count(add('streams'), 'stream')}, ${count(add('events'), 'event')}, ${bytes(add('bytes'))}${add('protectedEvents') > 0 ? `, ${number(add('protectedEvents'))} of them protected` : ''}.${shown.found === undefined ? '' : ` ${count(shown.found, 'stream')} found${shown.isCut ? ` among the first ${number(shown.read)} by name` : ''}${shown.found > shown.rows.length ? `, ${number(shown.rows.length)} of them shown` : ''}.`}</p>`;
};

const Copies = ({ of }) =>
  of?.length > 0 &&
  html`<div class="note"><span>A copy answers for ${count(of.length, 'partition')}: ${of.some((one) => one.lagRecords === null) ? 'it is not known how old it is' : `up to ${count(Math.max(...of.map((one) => one.lagRecords)), 'record')} behind`}.</span></div>`;

export const Streams = ({ place }) => {
  const { query } = place;
  const [prefix, setPrefix] = useState(query.prefix || '');
  const spaces = useLive((signal) => get('/v1/namespaces', {}, signal), [], 15000);
  useEffect(() => {
    const timer = setTimeout(() => prefix !== (query.prefix || '') && refine({ prefix }), 250);
    return () => clearTimeout(timer);
  }, [prefix]);
  useEffect(() => setPrefix(query.prefix || ''), [query.prefix]);
  const isAll = Boolean(STATES[query.state] || ORDERS[query.order]?.[1]);
  const live = usePages(
    async (after, signal) => {
      if (isAll) {
        return sorted(query, signal);
      }
      const found = await page({ prefix: query.prefix, namespace: query.namespace, limit: PAGE, after }, signal);
      return { rows: withAway(found.streams, found, query), next: found.next, unanswered: found.unanswered, stale: found.stale };
    },
    [query.prefix, query.namespace, query.state, query.order],
    (row) => row.stream,
    isAll ? 15000 : 4000,
  );
  const names = spaces.data?.namespaces.map((one) => one.namespace) || [];
  const options = [['', 'all'], ...[...new Set([...names, ...(query.namespace ? [query.namespace] : [])])].map((name) => [name, name])];
  return html`
    <${Title} name="Streams">What is stored, stream by stream, and why each event stays or goes.</${Title}>
    <${StreamTabs} here="streams" />
    <div class="filters" role="search">
      <${Field} label="Name begins with" value=${prefix} onInput=${setPrefix} />
      <${Field} label="Namespace" value=${query.namespace || ''} options=${options} onInput=${(namespace) => refine({ namespace })} />
      <${Field} label="Status" value=${query.state || ''} options=${[['', 'any'], ...Object.entries(STATES).map(([key, [name]]) => [key, name])]} onInput=${(next) => refine({ state: next })} />
      <${Field} label="Order" value=${query.order || 'name'} options=${Object.entries(ORDERS).map(([key, [name]]) => [key, name])} onInput=${(order) => refine({ order: order === 'name' ? '' : order })} />
      <${ByName} />
    </div>
    <${Live} of=${live}>${(shown) => html`
      <${Unanswered} of=${shown.unanswered} />
      <${Copies} of=${shown.stale} />
      <${Card} label="List of streams">
        ${spaces.data && html`<${Totals} spaces=${spaces.data.namespaces} query=${query} page=${shown} />`}
        <div class=${live.loading ? 'loading' : ''}><${Found} rows=${shown.rows} query=${query} /></div>
        <${More} of=${live} />
      </${Card}>`}</${Live}>`;
};
