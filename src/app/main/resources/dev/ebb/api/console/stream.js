// One stream: what it holds, its policy, its events, and what can be done with it.
import { html, useState } from './ui.js';
import { ask, get, may, path } from './rest.js';
import { useLive, usePages } from './live.js';
import { refine, to } from './router.js';
import { bytes, number, plain } from './format.js';
import { Card, Empty, Field, Live, More, Name, Table, Time, Title } from './parts.js';
import { planned, tried } from './commands.js';
import { question } from './dialogs.js';
import { EventCard } from './event.js';
import { placeHold } from './holds.js';
import { FATES, block, scope as scopeText } from './words.js';

const PAGE = 50;

const load = (name) => async (signal) => {
  const [detail, explained] = await Promise.all([get(path`/v1/streams/${name}`, {}, signal), get(path`/v1/streams/${name}/explain`, {}, signal)]);
  return { ...detail, explained };
};

const Usage = ({ usage, standing }) => html`
  <dl class="figures">
    <div><dt>Events</dt><dd>${number(usage.events)}<small>${bytes(usage.bytes)}</small></dd></div>
    <div><dt>Protected</dt><dd>${number(usage.protectedEvents)}<small>${standing.open ? 'work is in progress' : 'no open work'}</small></dd></div>
    <div><dt>With own TTL</dt><dd>${number(usage.timedEvents)}<small>${number(usage.infiniteEvents)} kept for ever</small></dd></div>
    <div><dt>Execution</dt><dd>${number(standing.currentExecution)}<small>${standing.openExecutions} open</small></dd></div>
  </dl>`;

/** The word for an event comes from the server, which asks the decision itself. */
export const fate = (event) => {
  if (event.fate !== 'goes') {
    return html`<span>${FATES[event.fate] || event.fate}</span>`;
  }
  return event.expired ? html`<span class="bad">goes with the next sweep</span>` : html`<span>goes <${Time} at=${event.dueAt} /></span>`;
};

const STATUS = [
  ['', 'any'],
  ['running', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
];

const Events = ({ name, place }) => {
  const { status, event } = place.query;
  const [typed, setTyped] = useState(status || '');
  const live = usePages(
    async (after, signal) => {
      const page = await get(path`/v1/streams/${name}/events`, { status, limit: PAGE, after, 'include-expired': true }, signal);
      return { rows: page.events, next: page.next };
    },
    [name, status],
    (row) => row.id,
    4000,
  );
  return html`
    <${Card} title="Events" actions=${html`<form class="filters" onSubmit=${(e) => { e.preventDefault(); refine({ status: typed.trim() }); }}>
        <${Field} label="Status" value=${typed} onInput=${setTyped} placeholder="any" list="statuses" />
        <datalist id="statuses">${STATUS.slice(1).map(([key]) => html`<option key=${key} value=${key}></option>`)}</datalist>
        <button>Find</button></form>`}>
      <${Live} of=${live}>${(page) =>
        page.rows.length === 0
          ? html`<${Empty} title=${status ? html`No event has the status <${Name} text=${status} />` : 'The stream has no events now'}><p>${status ? html`<button type="button" onClick=${() => { setTyped(''); refine({ status: '' }); }}>Show all</button>` : html`The <a href=${to(['audit'], { stream: name })}>audit</a> says what went, and why.`}</p></${Empty}>`
          : html`
            <${Table} caption="Events" rows=${page.rows} keyOf=${(row) => row.id} columns=${[
              { head: 'Event', th: true, cell: (row) => html`<a href=${to(['streams', name], { ...place.query, event: row.id })} aria-current=${row.id === event ? 'true' : undefined}><${Name} text=${row.id} /></a>` },
              { head: 'Type', cell: (row) => html`<${Name} text=${row.type} />` },
              { head: 'Status', cell: (row) => (row.status ? html`<${Name} text=${row.status} />` : html`<span class="muted">none</span>`) },
              { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
              { head: 'Stored', cell: (row) => html`<${Time} at=${row.storedAt} />` },
              { head: 'Stays or goes', cell: fate },
            ]} />
            <${More} of=${live} />`}</${Live}>
    </${Card}>`;
};

const LIMITS = ['maxAge', 'maxCount', 'maxBytes', 'keepLast', 'minAge', 'anchor', 'mode', 'undo'];

const Rules = ({ policy, explained }) => html`
  <${Card} title="Its policy">
    <dl class="facts">${LIMITS.filter((name) => policy[name]).map((name) => html`<dt key=${name}>${name}</dt><dd><b><${Name} text=${policy[name].value} /></b> <span class="small muted">from <a href=${to(['policies', policy[name].scope])}><${Name} text=${scopeText(policy[name].scope)} /></a></span></dd>`)}</dl>
    ${explained.holds.map((hold) => html`<div class="note" key=${hold.caseId}><strong>Hold <${Name} text=${hold.caseId} /></strong><span><${Name} text=${hold.reason} /></span><span class="muted">by <${Name} text=${hold.placedBy} />, <${Time} at=${hold.placedAt} /></span></div>`)}
    ${explained.blocks.filter((one) => one.what !== 'HOLD').map((one) => html`<div class="note warned" key=${one.detail}><strong>${block(one.what)}</strong><span><${Name} text=${one.detail} /></span></div>`)}
  </${Card}>`;

const repair = (name) =>
  question({
    title: 'Count the events of this stream anew, and end its quarantine?',
    body: html`<p><${Name} text=${name} /></p>`,
    verb: 'Repair',
    action: ({ reason, actor }) => ask('POST', path`/v1/streams/${name}/repair`, { query: { reason, actor, wait: '30s' } }),
    done: (answer, by) => `Repaired (${answer.state.toLowerCase()})${by ? `, by ${plain(by)}` : ''}.`,
  });

export const Stream = ({ place }) => {
  const name = place.parts[1];
  const [problem, setProblem] = useState(null);
  const live = useLive(load(name), [name]);
  const actions = html`
    ${may('PUT /v1/holds/{case}') && html`<button type="button" onClick=${() => placeHold(`stream:${name}`)}>Place a hold …</button>`}
    ${may('DELETE /v1/streams/{stream}') && html`<button type="button" class="danger" onClick=${tried(() => planned({ title: html`Delete <${Name} text=${name} /> with all it has?`, method: 'DELETE', where: path`/v1/streams/${name}`, verb: 'Delete' }), setProblem)}>Delete …</button>`}
    <a class="button" href=${to(['audit'], { stream: name })}>Audit</a>`;
  return html`
    <${Title} name=${html`<${Name} text=${name} />`} actions=${actions}><a href=${to(['streams'])}>Streams</a></${Title}>
    ${problem && html`<div class="note bad" role="alert"><strong>${problem.title}</strong><span><${Name} text=${problem.message} /></span></div>`}
    ${live.problem?.status === 404 && live.data === null
      ? html`<${Card} label="No such stream"><${Empty} title="There is no stream of that name"><p>It has not had an event yet, or all of it went. <a href=${to(['audit'], { stream: name })}>The audit</a> knows which.</p></${Empty}></${Card}>`
      : html`<${Live} of=${live}>${({ usage, standing, policy, explained }) => html`
        ${usage.noticeUntil && new Date(usage.noticeUntil) > new Date() && html`<div class="note"><strong>Under notice</strong><span>An undo has brought events back: no policy takes any of this stream before <${Time} at=${usage.noticeUntil} />.</span></div>`}
        ${usage.quarantine && html`<div class="note bad"><strong>In quarantine: nothing is deleted from it</strong><span><${Name} text=${usage.quarantine} /></span>${may('POST /v1/streams/{stream}/repair') && html`<span><button type="button" onClick=${() => repair(name)}>Repair …</button></span>`}</div>`}
        <div class="wide-left">
          <div class="column">
            <${Card} label="Usage"><${Usage} usage=${usage} standing=${standing} /></${Card}>
            ${place.query.event !== undefined && html`<${EventCard} key=${place.query.event} stream=${name} id=${place.query.event} onClose=${() => refine({ event: '' })} />`}
          </div>
          <${Rules} policy=${policy} explained=${explained} />
        </div>
        <${Events} name=${name} place=${place} />`}</${Live}>`}`;
};
