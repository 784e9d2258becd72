// The audit: what went and why, who changed what, receipts, and the way back.
import { html, useEffect, useMemo, useState } from './ui.js';
import { get, may, open } from './rest.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, number } from './format.js';
import { Card, Choice, Empty, Fault, Field, Live, More, Name, Table, Time, Title } from './parts.js';
import { AuditTabs } from './tabs.js';
import { StackPlot } from './plot.js';
import { Numbers, Readout } from './readout.js';
import { undo, undoOf } from './undo.js';
import { causeLayers } from './tides.js';
import { CAUSES, action, cause, scope as scopeText } from './words.js';

const PAGE = 50;
const FILTERS = ['stream', 'namespace', 'cause', 'actor', 'sweep', 'from', 'to', 'event'];
const BACK = {
  day: { step: 'hour', ms: 864e5, name: 'Day' },
  week: { step: '6h', ms: 7 * 864e5, name: 'Week' },
  month: { step: 'day', ms: 30 * 864e5, name: 'Month' },
  year: { step: 'month', ms: 365 * 864e5, name: 'Year' },
};

/** Saves an answer as a file of the reader. */
export const download = (name, text) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

const receipt = async (row, say) => {
  const at = new Date(row.at).getTime();
  const query = row.stream ? { stream: row.stream, from: at, to: at } : { sweep: row.commandId || row.sweepId };
  try {
    const answer = await open('GET', '/v1/receipts', { query });
    download(`receipt-${row.auditId.replace(/[^A-Za-z0-9._-]/g, '_')}.json`, await answer.text());
  } catch (problem) {
    say(problem);
  }
};

const what = (row) =>
  row.stream
    ? html`<span>${row.events > 0 ? `${count(row.events, 'event')}: ${cause(row.cause)}` : action(row.action)}<br /><span class="small"><a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a></span></span>`
    : html`<span>${action(row.action)}<br /><span class="small muted"><${Name} text=${scopeText(row.scope)} /></span></span>`;

const Record = ({ id, onClose }) => {
  const live = useLive((signal) => get(`/v1/audit/${encodeURIComponent(id)}`, {}, signal), [id], 0);
  return html`
    <${Card} title="Audit record" actions=${html`<button type="button" onClick=${onClose}>Close</button>`}>
      <${Live} of=${live}>${(row) => html`
        <dl class="facts">
          <dt>What</dt><dd>${action(row.action)}${row.cause ? `: ${cause(row.cause)}` : ''}</dd>
          <dt>When</dt><dd><${Time} at=${row.at} away /></dd>
          <dt>By</dt><dd><${Name} text=${row.actor || 'Ebb'} /></dd>
          ${row.reason && html`<dt>Reason</dt><dd><${Name} text=${row.reason} /></dd>`}
          ${row.stream && html`<dt>Stream</dt><dd><a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a></dd>`}
          <dt>Rule</dt><dd><${Name} text=${scopeText(row.scope)} />${row.policyVersion === null ? '' : `, version ${row.policyVersion}`}</dd>
          ${row.events > 0 && html`<dt>Events</dt><dd>${number(row.events)}, ${bytes(row.bytes)}</dd><dt>From</dt><dd><${Time} at=${row.oldestAnchor} /> to <${Time} at=${row.newestAnchor} /></dd>`}
          ${row.sweepId && html`<dt>Sweep</dt><dd><code>${row.sweepId}</code></dd>`}
          ${row.commandId && html`<dt>Command</dt><dd><code><${Name} text=${row.commandId} /></code></dd>`}
          ${row.eventIds?.length > 0 && html`<dt>Ids</dt><dd>${row.eventIds.slice(0, 200).map((one, i) => html`${i > 0 ? ', ' : ''}<${Name} text=${one} />`)}${row.eventIds.length > 200 ? ' …' : ''}</dd>`}
        </dl>
        ${row.policy && html`<pre tabindex="0"><${Name} text=${JSON.stringify(row.policy, null, 2)} /></pre>`}`}</${Live}>
    </${Card}>`;
};

const Causes = ({ place }) => {
  const range = BACK[place.query.range] ? place.query.range : 'week';
  const { namespace } = place.query;
  const live = useLive((signal) => get('/v1/history', { from: Date.now() - BACK[range].ms, to: Date.now(), step: BACK[range].step, namespace }, signal), [range, namespace], 5000);
  return html`
    <${Card} title="Deletes by cause" actions=${html`<${Choice} label="Time that is shown" value=${range} of=${Object.entries(BACK).map(([key, { name }]) => [key, name])} onChange=${(key) => refine({ range: key })} />`}>
      <${Live} of=${live}>${(history) => html`<${CausePlot} history=${history} />`}</${Live}>
    </${Card}>`;
};

const CausePlot = ({ history }) => {
  const shape = useMemo(() => ({ buckets: history.buckets, layers: causeLayers(history, 'events') }), [history]);
  const [chosen, choose] = useState(null);
  if (history.deleted.events === 0) {
    return html`<p class="muted">Nothing went in this time${history.complete ? '' : ', as far as the audit has been read'}.</p>`;
  }
  const select = (range) => {
    choose(range);
    refine(range ? { from: new Date(shape.buckets[range[0]].from).toISOString(), to: new Date(shape.buckets[range[1]].to).toISOString() } : { from: '', to: '' });
  };
  return html`
    <p><b>${count(history.deleted.events, 'event')}</b> (${bytes(history.deleted.bytes)}) went.</p>
    <${StackPlot} buckets=${shape.buckets} layers=${shape.layers} unit="events" now=${null} height=${12} selected=${chosen} onSelect=${select} start=${shape.buckets.length - 1}
      label="Bars of deleted events by cause."
      say=${(range) => html`<${Readout} shape=${shape} chosen=${range} unit="events" hint="Drag over bars, or choose some with the arrow keys, to list their records." />`} />
    <${Numbers} shape=${shape} unit="events" />`;
};

const Search = ({ query }) => {
  const [wish, setWish] = useState({});
  useEffect(() => setWish(Object.fromEntries(FILTERS.map((name) => [name, query[name] || '']))), [FILTERS.map((name) => query[name]).join('\n')]);
  const set = (name) => (text) => setWish((all) => ({ ...all, [name]: text }));
  const submit = (event) => {
    event.preventDefault();
    refine({ ...wish, record: '' });
  };
  const some = FILTERS.some((name) => query[name]);
  return html`
    <form class="filters" role="search" onSubmit=${submit}>
      <${Field} label="Stream" value=${wish.stream || ''} onInput=${set('stream')} />
      <${Field} label="Namespace" value=${wish.namespace || ''} onInput=${set('namespace')} />
      <${Field} label="Event" value=${wish.event || ''} onInput=${set('event')} hint=${wish.event && !wish.stream ? 'Name its stream as well.' : undefined} />
      <${Field} label="Cause" value=${wish.cause || ''} options=${[['', 'all'], ...Object.entries(CAUSES)]} onInput=${set('cause')} />
      <${Field} label="Actor" value=${wish.actor || ''} onInput=${set('actor')} />
      <${Field} label="Sweep or command" value=${wish.sweep || ''} onInput=${set('sweep')} />
      <${Field} label="From" placeholder="2026-11-26T08:00:00Z" value=${wish.from || ''} onInput=${set('from')} />
      <${Field} label="To" placeholder="2026-11-27" value=${wish.to || ''} onInput=${set('to')} />
      <div class="actions"><button class="main">Search</button>
      ${some && html`<button type="button" onClick=${() => refine(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>Clear</button>`}</div>
    </form>`;
};

/** Records of one event: those of its stream that name it. */
const withEvent = async (page, event, signal) => {
  const details = await Promise.all(page.audit.filter((row) => row.events > 0).map((row) => get(`/v1/audit/${encodeURIComponent(row.auditId)}`, {}, signal)));
  return { ...page, audit: details.filter((row) => row.eventIds?.includes(event)) };
};

export const Audit = ({ place }) => {
  const { query } = place;
  const [limit, setLimit] = useState(PAGE);
  const [problem, setProblem] = useState(null);
  const filters = Object.fromEntries(FILTERS.filter((name) => name !== 'event').map((name) => [name, query[name]]));
  const key = FILTERS.map((name) => query[name] || '').join('\n');
  useEffect(() => setLimit(PAGE), [key]);
  const live = useLive(
    async (signal) => {
      const page = await get('/v1/audit', { ...filters, limit }, signal);
      return query.event && query.stream ? withEvent(page, query.event, signal) : page;
    },
    [key, limit],
    3000,
  );
  return html`
    <${Title} name="Audit">What went, why, and who changed what. Newest first.</${Title}>
    <${AuditTabs} here="audit" />
    ${may('GET /v1/history') && html`<${Causes} place=${place} />`}
    ${query.record && html`<${Record} key=${query.record} id=${query.record} onClose=${() => refine({ record: '' })} />`}
    <${Card} title="Records">
      <${Search} query=${query} />
      <${Fault} problem=${problem} />
      <${Live} of=${live}>${(page) =>
        page.audit.length === 0
          ? html`<${Empty} title=${key.trim() ? 'The audit has no such record' : 'The audit is empty'}><p>${key.trim() ? 'Leave out a condition, or take a longer time.' : 'The first policy, hold or delete is its first record.'}</p></${Empty}>`
          : html`
            <${Table} caption="Audit records" rows=${page.audit} keyOf=${(row) => row.auditId} columns=${[
              { head: 'When', th: true, cell: (row) => html`<a href=${to(['audit'], { ...query, record: row.auditId })}><${Time} at=${row.at} /></a>` },
              { head: 'What', cell: what },
              { head: 'Size', num: true, cell: (row) => (row.events > 0 ? bytes(row.bytes) : '') },
              { head: 'By', cell: (row) => html`<${Name} text=${row.actor || scopeText(row.scope)} />` },
              { head: 'Reason', cell: (row) => html`<${Name} text=${row.reason} />` },
              {
                head: '',
                end: true,
                cell: (row) => html`
                  ${row.events > 0 && may('GET /v1/receipts') && html`<button type="button" class="plain" onClick=${() => receipt(row, setProblem)} aria-label=${`Receipt of ${row.stream || row.auditId}`}>Receipt</button>`}
                  ${may('POST /v1/undo') && undoOf(row) && html`<button type="button" class="plain" onClick=${() => undo(undoOf(row), setProblem)} aria-label=${`Undo ${row.auditId}`}>Undo …</button>`}`,
              },
            ]} />
            <${More} next=${page.next} onMore=${() => setLimit((n) => Math.min(1000, n * 2))} />`}</${Live}>
    </${Card}>`;
};
