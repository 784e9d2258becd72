// Undo: what was deleted by mistake comes back, after showing how much of it can.
import { html, useState } from './ui.js';
import { ask, get, may } from './rest.js';
import { useLive } from './live.js';
import { to } from './router.js';
import { bytes, count, number } from './format.js';
import { AuditTabs } from './tabs.js';
import { Card, Empty, Fault, Live, More, Name, Table, Time, Title, Unanswered } from './parts.js';
import { question } from './dialogs.js';
import { finished, once, tried } from './commands.js';
import { cause, scope as scopeText } from './words.js';

const FINAL_BY_NATURE = ['TTL', 'ERASE'];
const CHANGES = ['POLICY_SET', 'POLICY_REMOVED', 'HOLD_RELEASED'];

/** The deletes that an undo from an audit record brings back; null if there is no way back from it. */
export const undoOf = (row) => {
  if (CHANGES.includes(row.action)) {
    return { what: { policy: row.scope, version: row.policyVersion }, of: `what version ${row.policyVersion} of ${scopeText(row.scope)} deleted` };
  }
  if (!row.cause || FINAL_BY_NATURE.includes(row.cause)) {
    return null;
  }
  if (row.commandId) {
    return { what: { command: row.commandId }, of: `what command ${row.commandId} deleted` };
  }
  return row.sweepId ? { what: { sweep: row.sweepId, stream: row.stream }, of: `what that sweep deleted from ${row.stream}` } : null;
};

const Outlook = ({ undo, detail }) => html`
  ${undo.events > 0
    ? html`<p class="lead"><b>${count(undo.events, 'event')}</b> (${bytes(undo.bytes)}) of ${count(undo.streams, 'stream')} would come back, each with all that it had.</p>`
    : html`<p class="lead">Nothing can come back${detail ? html`: <${Name} text=${detail} />` : '.'}</p>`}
  ${Object.entries(undo.notReturned).map(([reason, events]) => html`<p class="warned" key=${reason}>${count(events, 'event')} stay${events === 1 ? 's' : ''} away: ${reason.toLowerCase().replaceAll('_', ' ')}</p>`)}`;

/** Asks for an undo; `say` is told what fails before the question. */
export const undo = ({ what, of }, say) =>
  tried(() => once(`undo ${JSON.stringify(what)}`, async () => {
    const dry = await finished(await ask('POST', '/v1/undo', { body: { ...what, dryRun: true }, query: { wait: '30s' } }));
    question({
      title: html`Undo <${Name} text=${of} />?`,
      body: dry.undo ? html`<${Outlook} undo=${dry.undo} detail=${dry.detail} />` : html`<p><${Name} text=${dry.detail || 'Nothing can come back.'} /></p>`,
      verb: dry.undo?.events > 0 && 'Undo',
      action: ({ reason, actor }) => ask('POST', '/v1/undo', { body: { ...what, reason, ...(actor ? { actor } : {}) }, query: { wait: '30s' } }),
      done: (answer, by) => html`<p>${answer.state === 'DONE' && answer.undo ? html`<b>${count(answer.undo.events, 'event')}</b> came back${by ? html`, by <${Name} text=${by} />` : ''}.` : html`The undo is ${answer.state.toLowerCase()}: <${Name} text=${answer.detail || ''} />`}</p>
        <p class="muted">The <a href=${to(['audit'], { sweep: answer.commandId })}>audit</a> keeps it.</p>`,
    });
  }), say)();

/** The undo of a row of the trash. */
const ofTrash = (row) => {
  if (row.commandId) {
    return { what: { command: row.commandId }, of: `what command ${row.commandId} deleted` };
  }
  const at = row.change ? row.change.lastIndexOf('@') : -1;
  return at < 0 ? null : { what: { policy: row.change.slice(0, at), version: Number(row.change.slice(at + 1)) }, of: `what version ${row.change.slice(at + 1)} of ${scopeText(row.change.slice(0, at))} deleted` };
};

export const Trash = () => {
  const [limit, setLimit] = useState(50);
  const [problem, setProblem] = useState(null);
  const live = useLive((signal) => get('/v1/trash', { limit }, signal), [limit], 3000);
  const mayUndo = may('POST /v1/undo');
  return html`
    <${Title} name="Undo">Deletes that can still be undone, and until when. The last is first.</${Title}>
    <${AuditTabs} here="undo" />
    <${Fault} problem=${problem} />
    <${Live} of=${live}>${(page) => html`
      <${Unanswered} of=${page.unanswered} what="What waits there" />
      <${Card} label="Deletes that can be undone">
        ${page.deletions.length === 0
          ? html`<${Empty} title="Nothing waits to be undone"><p>What a command deletes, or a new policy, can be undone for the time that its policy names in <b>undo</b>.</p></${Empty}>`
          : html`
            <${Table} caption="Deletes that can be undone" rows=${page.deletions} columns=${[
              { head: 'Last deleted', th: true, cell: (row) => html`<${Time} at=${row.lastDeletedAt} />` },
              { head: 'By', cell: (row) => html`<${Name} text=${row.commandId ? `command ${row.commandId}` : scopeText(row.change || row.scope)} />` },
              { head: 'Namespace', cell: (row) => html`<${Name} text=${row.namespace ?? 'several'} />` },
              { head: 'Why', cell: (row) => cause(row.cause) },
              { head: 'Events', num: true, cell: (row) => number(row.events) },
              { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
              { head: 'Until', cell: (row) => html`<${Time} at=${row.firstUntil} away />` },
              ...(mayUndo ? [{ head: '', end: true, cell: (row) => ofTrash(row) && html`<button type="button" class="plain" onClick=${() => undo(ofTrash(row), setProblem)} aria-label=${`Undo ${ofTrash(row).of}`}>Undo …</button>` }] : []),
            ]} />
            <${More} next=${page.next} onMore=${() => setLimit((n) => Math.min(1000, n * 2))} />`}
      </${Card}>`}</${Live}>`;
};
