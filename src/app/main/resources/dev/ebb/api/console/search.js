// Search for events by what they say, over all streams: what there is of a person, an order, a device.
import { html, useEffect, useRef, useState } from './ui.js';
import { get, may } from './rest.js';
import { to } from './router.js';
import { bytes, count } from './format.js';
import { Card, Empty, Fault, Field, Name, Table, Time, Title } from './parts.js';
import { fate } from './stream.js';
import { StreamTabs } from './tabs.js';
import { Conditions, areReady, asked, written } from './conditions.js';

const PAGE = 100;
const NOTHING = { rows: [], next: undefined, isDone: false };

/** Goes on until a page more is found, or nothing is left; a page may be empty although more follow. */
const searchOn = async (query, found, signal, tell) => {
  let now = found;
  const wanted = found.rows.length + PAGE;
  do {
    const page = await get('/v1/events', { ...query, limit: PAGE, after: now.next }, signal);
    now = { rows: [...now.rows, ...page.events], next: page.next ?? undefined, isDone: page.next === null };
    tell(now);
  } while (!now.isDone && now.rows.length < wanted);
};

const Rows = ({ rows }) => html`
  <${Table} caption="Events found" saved="events" rows=${rows} keyOf=${(row) => `${row.stream} ${row.id}`} columns=${[
    { head: 'Stream', th: true, text: (row) => row.stream, cell: (row) => html`<a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>` },
    { head: 'Id', text: (row) => row.id, cell: (row) => html`<${Name} text=${row.id} />` },
    { head: 'Type', text: (row) => row.type, cell: (row) => html`<${Name} text=${row.type} />` },
    { head: 'Status', text: (row) => row.status ?? '', cell: (row) => html`<${Name} text=${row.status ?? ''} />` },
    { head: 'Occurred', text: (row) => row.occurredAt, cell: (row) => html`<${Time} at=${row.occurredAt} seconds=${false} />` },
    { head: 'Stays or goes', text: (row) => (row.fate === 'goes' ? row.dueAt : row.fate), cell: fate },
    { head: 'Payload', num: true, text: (row) => row.payloadBytes, cell: (row) => bytes(row.payloadBytes) },
  ]} />`;

const said = ({ rows, isDone }) => `${count(rows.length, 'event')} found${isDone ? '' : ' so far'}.`;

export const Search = () => {
  const [conditions, setConditions] = useState(asked.conditions);
  const [namespace, setNamespace] = useState(asked.namespace);
  const [found, setFound] = useState(null);
  const [query, setQuery] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const run = useRef(null);
  useEffect(() => () => run.current?.abort(), []);
  const go = async (what, from) => {
    run.current?.abort();
    const mine = new AbortController();
    run.current = mine;
    setProblem(null);
    setBusy(true);
    setFound(from);
    try {
      await searchOn(what, from, mine.signal, setFound);
    } catch (e) {
      if (e.name !== 'AbortError') {
        setProblem(e);
      }
    }
    if (run.current === mine) {
      setBusy(false);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    Object.assign(asked, { conditions, namespace });
    const what = { where: conditions.map(written), namespace };
    setQuery(what);
    go(what, NOTHING);
  };
  const stop = () => {
    run.current.abort();
    setBusy(false);
  };
  return html`
    <${Title} name="Search">Every event that has these texts, whatever its stream.</${Title}>
    <${StreamTabs} here="search" />
    <${Card} title="Events that match">
      <form class="column" role="search" onSubmit=${submit}>
        <p class="muted">All conditions must be met, byte for byte. Payloads are not searched, and events that are due are not shown.</p>
        <${Conditions} of=${conditions} onChange=${setConditions} />
        <div class="filters"><${Field} label="Namespace" placeholder="all" value=${namespace} onInput=${setNamespace} /></div>
        <div class="actions">
          <button class="main" disabled=${!areReady(conditions)}>Find events</button>
          ${isBusy && html`<button type="button" onClick=${stop}>Stop</button>`}
        </div>
        <${Fault} problem=${problem} />
      </form>
    </${Card}>
    ${found && html`
      <${Card} label="Events found">
        <p role="status" class="small muted">${isBusy ? `Searching: ${said(found)}` : said(found)}</p>
        ${found.rows.length > 0 && html`<${Rows} rows=${found.rows} />`}
        ${found.isDone && found.rows.length === 0 && html`<${Empty} title="No event is like that"><p>Values are compared as a whole, large and small letters apart.</p></${Empty}>`}
        <div class="actions">
          ${!isBusy && !found.isDone && html`<button type="button" onClick=${() => go(query, found)}>Search on</button>`}
          ${found.rows.length > 0 && may('POST /v1/erase') && html`<a href=${to(['erase'])}>Erase what matches …</a>`}
        </div>
      </${Card}>`}`;
};
