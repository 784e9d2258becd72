// The archive: deleted events of which policies had copies kept, without their content.
import { html } from './ui.js';
import { get } from './rest.js';
import { searchOn, usePages } from './live.js';
import { refine, to } from './router.js';
import { bytes, number } from './format.js';
import { AuditTabs } from './tabs.js';
import { Card, Empty, Field, Live, Moment, More, Name, Table, Time, Title } from './parts.js';
import { CAUSES, cause, scope as scopeText } from './words.js';

const FILTERS = ['stream', 'namespace', 'cause', 'from', 'to'];

export const Archive = ({ place }) => {
  const query = place.query;
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
  const load = async (after, signal) => {
    const page = await get('/v1/archive', { ...wanted, limit: 50, after }, signal);
    return { rows: page.archived, next: page.next };
  };
  const live = usePages(
    (after, signal) => searchOn((next) => load(next, signal), after),
    FILTERS.map((name) => query[name]),
    (row) => row.record,
    5000,
  );
  const isFiltered = FILTERS.some((name) => query[name]);
  return html`
    <${Title} name="Archive">Deleted events that a policy had archived. Their content is not shown here.</${Title}>
    <${AuditTabs} here="archive" />
    <${Card} label="Archived events">
      <div class="filters" role="search">
        <${Field} label="Stream" value=${query.stream || ''} onInput=${(text) => refine({ stream: text })} />
        <${Field} label="Namespace" value=${query.namespace || ''} onInput=${(text) => refine({ namespace: text })} />
        <${Field} label="Cause" value=${query.cause || ''} options=${[['', 'all'], ...Object.keys(CAUSES).map((one) => [one, cause(one)])]} onInput=${(one) => refine({ cause: one })} />
        <${Moment} label="From" value=${query.from || ''} onInput=${(text) => refine({ from: text })} />
        <${Moment} label="To" value=${query.to || ''} onInput=${(text) => refine({ to: text })} />
      </div>
      <${Live} of=${live}>${(page) =>
        page.rows.length === 0
          ? html`<${Empty} title=${page.next ? 'Nothing is found yet among the newest' : isFiltered ? 'Nothing is archived for that' : 'Nothing is archived'}><p>A policy with <code>archive</code> keeps a copy of each event that it deletes.</p></${Empty}>`
          : html`
            <${Table} caption="Archived events" saved="archive" rows=${page.rows} keyOf=${(row) => row.record} columns=${[
              { head: 'Deleted', th: true, text: (row) => row.deletedAt, cell: (row) => html`<${Time} at=${row.deletedAt} />` },
              { head: 'Stream', text: (row) => row.stream, cell: (row) => html`<a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>` },
              { head: 'Event', text: (row) => row.id, cell: (row) => html`<${Name} text=${row.id} />` },
              { head: 'Type', text: (row) => row.type, cell: (row) => html`<${Name} text=${row.type} />` },
              { head: 'Cause', text: (row) => row.cause, cell: (row) => html`<span>${cause(row.cause)}<br /><span class="small muted"><${Name} text=${row.scope ? scopeText(row.scope) : row.commandId ? 'a command' : ''} /></span></span>` },
              { head: 'Size', num: true, text: (row) => row.bytes, cell: (row) => bytes(row.bytes) },
            ]} />
            <p class="small muted">${number(page.rows.length)} shown.</p>
            <${More} of=${live} />`}</${Live}>
    </${Card}>`;
};
