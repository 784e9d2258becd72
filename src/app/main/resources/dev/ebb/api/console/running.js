// Commands: those that run, of all instances, and any one by its id, with its progress or its result.
import { html, useState } from './ui.js';
import { get, may, path } from './rest.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, number } from './format.js';
import { outlookOf } from './commands.js';
import { MapTabs } from './tabs.js';
import { Card, Empty, Field, Live, Name, Table, Time, Title, Unanswered } from './parts.js';

const STATES = { RUNNING: 'It is running.', DONE: 'It is done.', REFUSED: 'It was refused.' };

const Answer = ({ of }) => {
  const { events, bytes: size } = outlookOf(of);
  return html`
    <p class="lead">${STATES[of.state] || of.state}${of.progress && html` <span class="muted">${number(of.progress.done)} of ${number(of.progress.total)}</span>`}</p>
    ${of.detail && html`<p><${Name} text=${of.detail} /></p>`}
    <dl class="facts">
      <dt>Kind</dt><dd>${of.verb}${of.dryRun && ', a dry run'}</dd>
      <dt>Began</dt><dd><${Time} at=${of.startedAt} /></dd>
      <dt>${of.state === 'RUNNING' ? 'Reported' : 'Ended'}</dt><dd><${Time} at=${of.updatedAt} /></dd>
      ${events > 0 && html`<dt>${of.dryRun ? 'Would go' : 'Went'}</dt><dd>${count(events, 'event')} (${bytes(size)})</dd>`}
      ${of.plan && html`<dt>Plan</dt><dd><code><${Name} text=${of.plan.planId} /></code>${of.plan.madeBy && html` by <${Name} text=${of.plan.madeBy} />`}</dd>`}
    </dl>
    ${!of.dryRun && html`<p class="small muted">The <a href=${to(['audit'], { sweep: of.commandId })}>audit</a> keeps what it deleted.</p>`}`;
};

const One = ({ id }) => {
  const live = useLive((signal) => get(path`/v1/commands/${id}`, {}, signal), [id], 2000);
  return html`
    <${Card} title=${html`Command <${Name} text=${id} />`} actions=${html`<button type="button" onClick=${() => refine({ command: '' })}>Close</button>`}>
      <${Live} of=${live}>${(of) => html`<${Answer} of=${of} />`}</${Live}>
    </${Card}>`;
};

const ById = () => {
  const [id, setId] = useState('');
  const open = (event) => {
    event.preventDefault();
    refine({ command: id.trim() });
  };
  return html`<form class="filters" onSubmit=${open}><${Field} label="Show a command by its id" value=${id} onInput=${setId} /><button disabled=${!id.trim()}>Show</button></form>`;
};

const List = () => {
  const live = useLive((signal) => get('/v1/commands', { limit: 200 }, signal), [], 2000);
  return html`
    <${Card} title="Running">
      <${Live} of=${live}>${(page) => html`
        <${Unanswered} of=${page.unanswered} />
        ${page.commands.length === 0
          ? html`<${Empty} title="No command is running"><p>Deletes, sweeps, dry runs and erasures that take longer than a moment are here until they end.</p></${Empty}>`
          : html`
            <${Table} caption="Running commands" saved="commands" rows=${page.commands} keyOf=${(row) => `${row.partition}/${row.commandId}`} columns=${[
              { head: 'Command', th: true, text: (row) => row.commandId, cell: (row) => html`<a href=${to(['commands'], { command: row.commandId })}><${Name} text=${row.commandId} /></a>` },
              { head: 'Kind', text: (row) => row.verb, cell: (row) => `${row.verb}${row.dryRun ? ', a dry run' : ''}` },
              { head: 'By', text: (row) => row.actor, cell: (row) => (row.actor ? html`<${Name} text=${row.actor} />` : '–') },
              { head: 'Since', text: (row) => row.startedAt, cell: (row) => html`<${Time} at=${row.startedAt} away />` },
            ]} />
            ${page.isMore && html`<p class="small muted">The ${count(page.commands.length, 'command')} that run longest; there are more.</p>`}`}`}</${Live}>
    </${Card}>`;
};

export const Running = ({ place }) => html`
  <${Title} name="Commands">What was asked for and has not ended yet, by whom, and what became of the rest.</${Title}>
  <${MapTabs} here="commands" />
  <${ById} />
  ${place.query.command && html`<${One} key=${place.query.command} id=${place.query.command} />`}
  ${may('GET /v1/commands') && html`<${List} />`}`;
