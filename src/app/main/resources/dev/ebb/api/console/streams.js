// Streams: found by namespace and prefix.
import { html, useEffect, useState } from './ui.js';
import { get } from './rest.js';
import { useLive, usePages } from './live.js';
import { go, refine, to } from './router.js';
import { bytes, number } from './format.js';
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

const Found = ({ rows, query }) =>
  rows.length === 0
    ? html`<${Empty} title=${query.prefix || query.namespace ? 'No stream is like that' : 'There are no streams yet'}>
        ${query.prefix || query.namespace
          ? html`<p>Names are compared from their beginning, large and small letters apart.</p><button type="button" onClick=${() => refine({ prefix: '', namespace: '' })}>Show all</button>`
          : html`<p>A stream comes with its first event:</p><pre>echo '{"stream":"orders/eu-1","id":"o-1","type":"order"}' | ebb produce -f -</pre>`}
      </${Empty}>`
    : html`
      <${Table} caption="Streams" rows=${rows} keyOf=${(row) => row.stream} columns=${[
        { head: 'Stream', th: true, cell: (row) => html`<span><a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>${row.quarantine && html` <span class="pill bad">quarantine</span>`}${row.parked > 0 && html` <span class="pill warned">${number(row.parked)} waiting</span>`}</span>` },
        { head: 'Events', num: true, cell: (row) => number(row.events) },
        { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
        { head: 'Protected', num: true, cell: (row) => number(row.protectedEvents) },
        { head: 'Own TTL', num: true, cell: (row) => number(row.timedEvents) },
        { head: 'Oldest', cell: (row) => html`<${Time} at=${row.oldest} />` },
        { head: 'Newest', cell: (row) => html`<${Time} at=${row.newest} />` },
      ]} />`;

export const Streams = ({ place }) => {
  const { query } = place;
  const [prefix, setPrefix] = useState(query.prefix || '');
  const spaces = useLive((signal) => get('/v1/namespaces', {}, signal), [], 15000);
  useEffect(() => {
    const timer = setTimeout(() => prefix !== (query.prefix || '') && refine({ prefix }), 250);
    return () => clearTimeout(timer);
  }, [prefix]);
  useEffect(() => setPrefix(query.prefix || ''), [query.prefix]);
  const live = usePages(
    async (after, signal) => {
      const page = await get('/v1/streams', { prefix: query.prefix, namespace: query.namespace, limit: PAGE, after }, signal);
      return { rows: page.streams, next: page.next, unanswered: page.unanswered };
    },
    [query.prefix, query.namespace],
    (row) => row.stream,
    4000,
  );
  const names = spaces.data?.namespaces.map((one) => one.namespace) || [];
  const options = [['', 'all'], ...[...new Set([...names, ...(query.namespace ? [query.namespace] : [])])].map((name) => [name, name])];
  return html`
    <${Title} name="Streams">What is stored, stream by stream, and why each event stays or goes.</${Title}>
    <div class="filters" role="search">
      <${Field} label="Name begins with" value=${prefix} onInput=${setPrefix} />
      <${Field} label="Namespace" value=${query.namespace || ''} options=${options} onInput=${(namespace) => refine({ namespace })} />
      <${ByName} />
    </div>
    <${Live} of=${live}>${(page) => html`
      <${Unanswered} of=${page.unanswered} />
      <${Card} label="Streams">
        <div class=${live.loading ? 'loading' : ''}><${Found} rows=${page.rows} query=${query} /></div>
        <${More} of=${live} />
      </${Card}>`}</${Live}>`;
};
