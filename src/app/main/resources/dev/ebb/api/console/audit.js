// The audit: what went and why, who changed what, receipts, and the way back.
import { html, useEffect, useMemo, useRef, useState } from './ui.js';
import { get, may, open } from './rest.js';
import { searchOn, useLive, usePages } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, number, plain } from './format.js';
import { Card, Choice, Empty, Fault, Field, Lines, Live, Moment, More, Name, Table, Time, Title } from './parts.js';
import { save } from './save.js';
import { AuditTabs } from './tabs.js';
import { StackPlot } from './plot.js';
import { Numbers, Readout } from './readout.js';
import { undo, undoOf } from './undo.js';
import { causeLayers } from './tides.js';
import { ACTIONS, CAUSES, action, cause, scope as scopeText } from './words.js';

const PAGE = 50;
const FILTERS = ['action', 'stream', 'namespace', 'cause', 'actor', 'policy', 'sweep', 'from', 'to', 'event'];
const RARE = ['actor', 'policy', 'sweep', 'event'];
const BACK = {
  day: { step: 'hour', ms: 864e5, name: 'Day' },
  week: { step: '6h', ms: 7 * 864e5, name: 'Week' },
  month: { step: 'day', ms: 30 * 864e5, name: 'Month' },
  year: { step: 'month', ms: 365 * 864e5, name: 'Year' },
};

/** Saves an answer as a file of the reader. */
export const download = (name, text) => save(name, 'application/json', text);

/** Saves all parts of a receipt, each as a file. */
export const downloadReceipt = async (name, query) => {
  for (let after; after !== null; ) {
    const { next, ...part } = JSON.parse(await (await open('GET', '/v1/receipts', { query: after ? { ...query, after } : query })).text());
    const which = part.parts > 1 ? `-${part.part}-of-${part.parts}` : '';
    download(`receipt-${name.replace(/[^A-Za-z0-9._-]/g, '_')}${which}.json`, `${JSON.stringify(part, null, 2)}\n`);
    after = next || null;
  }
};

/** Of a stream from that time on, so that a later return is in it. */
const receipt = async (row, say) => {
  const at = new Date(row.at).getTime();
  const query = row.stream ? { stream: row.stream, from: at } : row.commandId ? { command: row.commandId } : { sweep: row.sweepId };
  try {
    await downloadReceipt(row.auditId, query);
  } catch (problem) {
    say(problem);
  }
};

const ofPolicy = (row) => `${row.scope}@${row.policyVersion}`;
const isChange = (row) => row.action.startsWith('POLICY_') || row.action.startsWith('HOLD_') || row.action === 'CONFIRMED';
/** Deletes name the version of the policy that was in force; the removal of one has none. */
const hasDeletes = (row) => ['POLICY_SET', 'CONFIRMED'].includes(row.action) && !row.scope.startsWith('hold:');

const what = (row) =>
  row.stream
    ? html`<span>${row.cause ? `${count(row.events, 'event')}: ${cause(row.cause)}` : `${action(row.action)}${row.events > 0 ? `: ${count(row.events, 'event')}` : ''}`}<br /><span class="small"><a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a></span></span>`
    : html`<span>${action(row.action)}<br /><span class="small">${isChange(row) && !row.scope.startsWith('hold:')
        ? html`<a href=${to(['policies', row.scope])}><${Name} text=${scopeText(row.scope)} /></a>, version ${row.policyVersion}`
        : html`<${Name} text=${scopeText(row.scope)} />`}</span></span>`;

/** The person who asked for it, or else the policy that decided a delete; the scope of a change is not its author. */
const by = (row) =>
  row.actor
    ? html`<${Name} text=${row.actor} />`
    : !row.cause
      ? '–'
    : /^(\*|(stream|namespace|pattern):)/.test(row.scope)
      ? html`<a href=${to(['policies', row.scope])}><${Name} text=${scopeText(row.scope)} /></a>`
      : html`<${Name} text=${row.scope === 'event' ? 'its own TTL' : scopeText(row.scope)} />`;

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
        ${row.policy && html`<pre tabindex="0"><${Lines} text=${JSON.stringify(row.policy, null, 2)} /></pre>`}`}</${Live}>
    </${Card}>`;
};

const Causes = ({ place }) => {
  const range = BACK[place.query.range] ? place.query.range : 'week';
  const { namespace } = place.query;
  const live = useLive((signal) => get('/v1/history', { from: Date.now() - BACK[range].ms, to: Date.now(), step: BACK[range].step, namespace }, signal), [range, namespace], 5000);
  return html`
    <${Card} title="Deletes by cause" actions=${html`<${Choice} label="Time that is shown" value=${range} of=${Object.entries(BACK).map(([key, { name }]) => [key, name])} onChange=${(key) => refine({ range: key })} />`}>
      <${Live} of=${live} quiet>${(history) => html`<${CausePlot} history=${history} />`}</${Live}>
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
  const asked = () => Object.fromEntries(FILTERS.map((name) => [name, query[name] || '']));
  const [wish, setWish] = useState(asked);
  const key = FILTERS.map((name) => query[name]).join('\n');
  const shown = useRef(key);
  // What is typed before the first effect runs stays.
  useEffect(() => {
    if (shown.current !== key) {
      shown.current = key;
      setWish(asked());
    }
  }, [key]);
  const set = (name) => (text) => setWish((all) => ({ ...all, [name]: text }));
  const submit = (event) => {
    event.preventDefault();
    refine({ ...wish, record: '' });
  };
  const some = FILTERS.some((name) => query[name]);
  return html`
    <form class="search" role="search" onSubmit=${submit}>
      <${Field} label="What" value=${wish.action || ''} options=${[['', 'all'], ['DELETE', 'deletes'], ['CHANGE', 'changes of policies and holds'], ...Object.entries(ACTIONS)]} onInput=${set('action')} />
      <${Field} label="Stream" value=${wish.stream || ''} onInput=${set('stream')} />
      <${Field} label="Namespace" value=${wish.namespace || ''} onInput=${set('namespace')} />
      <${Field} label="Cause" value=${wish.cause || ''} options=${[['', 'all'], ...Object.entries(CAUSES)]} onInput=${set('cause')} />
      <${Moment} label="From" value=${wish.from || ''} onInput=${set('from')} />
      <${Moment} label="To" value=${wish.to || ''} onInput=${set('to')} />
      <details open=${RARE.some((name) => query[name])}><summary>More conditions</summary><div class="search">
        <${Field} label="Actor" value=${wish.actor || ''} onInput=${set('actor')} />
        <${Field} label="Policy" placeholder="namespace:orders" value=${wish.policy || ''} onInput=${set('policy')} />
        <${Field} label="Sweep or command" value=${wish.sweep || ''} onInput=${set('sweep')} />
        <${Field} label="Event" value=${wish.event || ''} onInput=${set('event')} hint=${wish.event && !wish.stream ? 'It is found sooner with its stream.' : undefined} />
      </div></details>
      <div class="actions"><button class="main">Search</button>
      ${some && html`<button type="button" onClick=${() => refine(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>Clear</button>`}</div>
    </form>`;
};

/** What the records of a policy come to. */
const Sum = ({ rows, isAll }) => {
  const deleted = rows.filter((row) => row.action === 'DELETE');
  const sum = (of) => deleted.reduce((n, row) => n + row[of], 0);
  return html`<p class="lead">${isAll ? '' : 'At least '}<b>${count(sum('events'), 'event')}</b> (${bytes(sum('bytes'))}) went because of it.</p>`;
};

export const Audit = ({ place }) => {
  const { query } = place;
  const [problem, setProblem] = useState(null);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
  const key = FILTERS.map((name) => query[name] || '').join('\n');
  const isSearch = key.trim() !== '';
  const load = async (after, signal) => {
    const page = await get('/v1/audit', { ...filters, limit: PAGE, after }, signal);
    return { rows: page.audit, next: page.next };
  };
  const live = usePages((after, signal) => searchOn((next) => load(next, signal), after), [key], (row) => row.auditId, isSearch ? 10000 : 3000);
  return html`
    <${Title} name="Audit">What went, why, and who changed what. Newest first.</${Title}>
    <${AuditTabs} here="audit" />
    ${may('GET /v1/history') && html`<${Causes} place=${place} />`}
    ${query.record && html`<${Record} key=${query.record} id=${query.record} onClose=${() => refine({ record: '' })} />`}
    <${Card} title="Records">
      <${Search} query=${query} />
      <${Fault} problem=${problem} />
      <${Live} of=${live}>${(page) =>
        page.rows.length === 0
          ? html`<${Empty} title=${page.next ? 'Nothing like that so far' : isSearch ? 'The audit has no such record' : 'The audit is empty'}><p>${page.next ? 'The audit is long, and only its newest part has been searched.' : isSearch ? 'Leave out a condition, or take a longer time.' : 'The first policy, hold or delete is its first record.'}</p>
              ${page.next && html`<button type="button" disabled=${live.busy} onClick=${live.more}>${live.busy ? 'Searching …' : 'Search further back'}</button>`}</${Empty}>`
          : html`
            ${query.policy && html`<${Sum} rows=${page.rows} isAll=${!page.next} />`}
            <${Table} caption="Audit records" rows=${page.rows} keyOf=${(row) => row.auditId} columns=${[
              { head: 'When', th: true, cell: (row) => html`<a href=${to(['audit'], { ...query, record: row.auditId })}><${Time} at=${row.at} /></a>` },
              { head: 'What', cell: what },
              { head: 'Size', num: true, cell: (row) => (row.events > 0 ? bytes(row.bytes) : '') },
              { head: 'By', cell: by },
              { head: 'Reason', cell: (row) => (row.reason ? html`<${Name} text=${row.reason} />` : '') },
              {
                head: '',
                end: true,
                cell: (row) => html`
                  ${hasDeletes(row) && query.policy !== ofPolicy(row) && html`<a class="button plain" href=${to(['audit'], { policy: ofPolicy(row) })}>What it deleted</a>`}
                  ${row.cause && may('GET /v1/receipts') && html`<button type="button" class="plain" onClick=${() => receipt(row, setProblem)} aria-label=${`Receipt of ${plain(row.stream || row.auditId)}`}>Receipt</button>`}
                  ${may('POST /v1/undo') && undoOf(row) && html`<button type="button" class="plain" onClick=${() => undo(undoOf(row), setProblem)} aria-label=${`Undo ${row.auditId}`}>Undo …</button>`}`,
              },
            ]} />
            <${More} of=${live} text=${isSearch ? 'Search further back' : 'Show more'} />`}</${Live}>
    </${Card}>`;
};
