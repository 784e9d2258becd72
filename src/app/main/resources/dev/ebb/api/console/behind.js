// The streams and the deletes behind a selection of bars.
import { html } from './ui.js';
import { get, may } from './rest.js';
import { searchOn, useLive, usePages } from './live.js';
import { to } from './router.js';
import { bytes, count, number, stretch } from './format.js';
import { Card, Live, More, Name, Table, Time } from './parts.js';
import { cause } from './words.js';

const MOST = 20;

const Due = ({ from, end, most = MOST }) => {
  const load = async (after, signal) => {
    const page = await get('/v1/forecast/streams', { from, to: end, limit: most, after }, signal);
    return { ...page, rows: page.streams };
  };
  const live = usePages(load, [from, end], (row) => row.stream, 5000);
  return html`<${Live} of=${live} quiet>${(page) =>
    page.rows.length === 0
      ? html`<p class="muted">No stream has events that fall due then.</p>`
      : html`<p>${page.exact ? '' : 'About '}<b>${count(page.due.events, 'event')}</b> of <b>${count(page.streamsInAll, 'stream')}</b>, those with the most first.</p>
        <${Table} caption="Streams with events that fall due" rows=${page.rows} keyOf=${(row) => row.stream} columns=${[
          { head: 'Stream', th: true, cell: (row) => html`<a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>` },
          { head: 'Events due', num: true, cell: (row) => `${row.exact ? '' : 'about '}${number(row.events)}` },
          { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
          { head: 'Of', num: true, cell: (row) => number(row.stored.events) },
          { head: 'First goes', cell: (row) => html`<${Time} at=${row.first} />` },
          { head: 'Last goes', cell: (row) => html`<${Time} at=${row.last} />` },
        ]} />
        <${More} of=${live} />`}</${Live}>`;
};

const Gone = ({ from, end }) => {
  const load = async (after, signal) => {
    const page = await get('/v1/audit', { action: 'DELETE', from, to: end - 1, limit: MOST, after }, signal);
    return { rows: page.audit, next: page.next };
  };
  const live = useLive((signal) => searchOn((after) => load(after, signal)), [from, end], 5000);
  return html`<${Live} of=${live} quiet>${(page) => {
    const rows = page.rows.slice(0, MOST);
    return rows.length === 0
      ? html`<p class="muted">${page.next ? 'No delete of that time is found yet; the audit is long.' : 'The audit has no deletes of that time.'}</p>`
      : html`<${Table} caption="Deletes" rows=${rows} keyOf=${(row) => row.auditId} columns=${[
          { head: 'Stream', th: true, cell: (row) => html`<a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>` },
          { head: 'Events', num: true, cell: (row) => number(row.events) },
          { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
          { head: 'Why', cell: (row) => cause(row.cause) },
          { head: 'By', cell: (row) => html`<${Name} text=${row.actor || row.scope} />` },
          { head: 'When', cell: (row) => html`<${Time} at=${row.at} />` },
        ]} />
        ${page.next && html`<p><a href=${to(['audit'], { from: new Date(from).toISOString(), to: new Date(end).toISOString() })}>All of them in the audit</a></p>`}`;
  }}</${Live}>`;
};

/** The streams that lose the most from now on, where nothing is chosen. */
export const Ahead = ({ from, to: end, next }) =>
  may('GET /v1/forecast/streams') && html`<${Card} title=${`Streams that lose the most in ${next}`}><${Due} from=${from} end=${end} most=${10} /></${Card}>`;

export const Behind = ({ from, to: end, now, onClose }) => html`
  <${Card} title=${`Behind ${stretch(from, end)}`} actions=${html`<button type="button" onClick=${onClose}>Close</button>`}>
    ${from < now && html`<h3>Gone</h3><${Gone} from=${from} end=${Math.min(end, now)} />`}
    ${end > now && may('GET /v1/forecast/streams') && html`<h3>Going</h3><${Due} from=${Math.max(from, now)} end=${end} />`}
  </${Card}>`;
