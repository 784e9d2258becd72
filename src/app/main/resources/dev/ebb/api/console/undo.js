// Undo: what was deleted by mistake comes back, after showing how much of it can.
import { html, useState } from './ui.js';
import { ask, get, may } from './rest.js';
import { usePages } from './live.js';
import { to } from './router.js';
import { bytes, count, fromNow, number, plain } from './format.js';
import { AuditTabs } from './tabs.js';
import { Card, Empty, Fault, Field, Live, More, Name, Table, Time, Title, Unanswered } from './parts.js';
import { question, tell } from './dialogs.js';
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

const STAYS = {
  REUSED: 'another event has the id by now',
  SUPERSEDED: 'an event of the same id was deleted later, and comes back instead',
  EXPIRED: 'the time in which it could be undone is over',
  NOT_READY: 'the stream cannot be touched now; try again later',
  UNREADABLE: 'the copy cannot be read',
  MISSING: 'the trash does not have it any more',
  FORGED: 'no delete put the copy there',
};

const dueAgain = (undo) => undo?.notice?.dueThen || 0;

/** What an undo brings back; null if it was refused before it was counted. */
const undone = ({ outcome }) => (outcome?.kind === 'undone' ? outcome : null);

const Outlook = ({ undo, detail }) => html`
  ${undo.extent !== 'NOTHING'
    ? html`<p class="lead"><b>${count(undo.events, 'event')}</b> (${bytes(undo.bytes)}) of ${count(undo.streams, 'stream')} would come back, each with all that it had.</p>
        <p>No policy takes any of it before <${Time} at=${undo.notice?.until} />.${dueAgain(undo) > 0 ? ` After that about ${count(dueAgain(undo), 'event')} would be due again by the policies in force.` : ''}</p>`
    : html`<p class="lead">Nothing can come back${detail ? html`: <${Name} text=${detail} />` : '. Its time to be undone is over, or nothing was deleted.'}</p>`}
  ${Object.entries(undo.notReturned).map(([reason, events]) => html`<p class="warned" key=${reason}>${count(events, 'event')} stay${events === 1 ? 's' : ''} away: ${STAYS[reason] || reason.toLowerCase().replaceAll('_', ' ')}.</p>`)}`;

/** Ways to keep what comes back for longer than its notice. */
const waysOf = (what) => [
  ...(what.policy && what.version !== undefined && may('PUT /v1/policies/{scope}') ? [['revert', what.policy.startsWith('hold:') ? 'Place the released hold again' : 'Put the former policy back in force']] : []),
  ...(may('PUT /v1/holds/{case}') ? [['hold', 'Place a hold on each of its streams, and decide later']] : []),
];

const Keep = ({ ways, due, wish }) => {
  const [way, setWay] = useState(wish.way);
  const [name, setName] = useState(wish.case);
  const choose = (next) => {
    wish.way = next;
    setWay(next);
  };
  return html`
    <fieldset class="ways"><legend>${due > 0 ? `About ${count(due, 'event')} would be due again after the notice. How are they to be kept?` : 'How is it to be kept?'}</legend>
      ${[...ways, ['', 'Leave the policies as they are']].map(([key, text]) => html`
        <label class="check" key=${key}><input type="radio" name="way" checked=${way === key} onChange=${() => choose(key)} /><span>${text}</span></label>`)}
      ${way === 'hold' && html`<${Field} label="Case of the hold" hint="The name of the matter, for example case-2026-17. Several streams get a number each, 100 at most." value=${name} onInput=${(text) => { wish.case = text; setName(text); }} required />`}
    </fieldset>`;
};

/** What was done to keep what came back. */
const Kept = ({ prepared }) => html`
  ${prepared.holds?.length > 0 && html`<p>${prepared.holds.length === 1 ? html`The hold <b><${Name} text=${prepared.holds[0].holdCase} /></b> over <${Name} text=${scopeText(prepared.holds[0].covers)} /> is` : html`${count(prepared.holds.length, 'hold')}, from <b><${Name} text=${prepared.holds[0].holdCase} /></b> on, each over one stream, are`} in force now; <a href=${to(['holds'])}>Holds</a> releases ${prepared.holds.length === 1 ? 'it' : 'them'}.</p>`}
  ${prepared.policy && html`<p>The policy of <b><${Name} text=${scopeText(prepared.policy)} /></b> is in force again as it was before the change.</p>`}`;

/** True unless the policy has changed again since: then the former one cannot be put back. */
const isNewest = async ({ policy, version }) => {
  const { audit } = await get('/v1/audit', { policy, action: 'CHANGE', limit: 1 });
  return audit.length === 0 || version === undefined || audit[0].policyVersion <= version;
};

/** Asks for an undo; `say` is told what fails before the question. */
export const undo = ({ what, of }, say) =>
  tried(() => once(`undo ${JSON.stringify(what)}`, async () => {
    tell('Counting what would come back …');
    const dry = await finished(await ask('POST', '/v1/undo', { body: { ...what, dryRun: true }, query: { wait: '30s' } }));
    const found = undone(dry);
    const due = dueAgain(found);
    const mayRevert = !what.policy || (await isNewest(what).catch(() => true));
    const ways = waysOf(what).filter(([way]) => way !== 'revert' || mayRevert);
    const isPossible = found !== null && found.extent !== 'NOTHING';
    const wish = { way: due > 0 || what.policy ? ways[0]?.[0] || '' : '', case: '' };
    question({
      title: html`Undo <${Name} text=${of} />?`,
      body: found
        ? html`<${Outlook} undo=${found} detail=${dry.detail} />
            ${due > 0 && ways.length === 0 && html`<p class="warned">An admin can put the former policy back, or place a hold, before the notice ends.</p>`}
            ${isPossible && ways.length > 0 && html`<${Keep} ways=${ways} due=${due} wish=${wish} />`}`
        : html`<p><${Name} text=${dry.detail || 'Nothing can come back.'} /></p>`,
      verb: isPossible && 'Undo',
      action: ({ reason, actor }) =>
        ask('POST', '/v1/undo', {
          body: { ...what, reason, ...(actor ? { actor } : {}) },
          query: { wait: '30s', revert: wish.way === 'revert', hold: wish.way === 'hold' ? wish.case.trim() : undefined },
        }),
      done: (answer, by) => html`<p>${answer.state === 'DONE' && undone(answer) ? html`<b>${count(undone(answer).events, 'event')}</b> came back${by ? html`, by <${Name} text=${by} />` : ''}.` : html`The undo is ${answer.state.toLowerCase()}: <${Name} text=${answer.detail || ''} />`}</p>
        ${answer.prepared && html`<${Kept} prepared=${answer.prepared} />`}
        <p class="muted">The <a href=${to(['audit'], { sweep: answer.commandId })}>audit</a> keeps it.</p>`,
    });
  }), say)();

/** A change of policies as people say it: its scope and its version. */
const byChange = (change) => {
  const at = change ? change.lastIndexOf('@') : -1;
  return at < 0 ? change : `${scopeText(change.slice(0, at))}, version ${change.slice(at + 1)}`;
};

/** The undo of a row of the trash. */
const ofTrash = (row) => {
  if (row.commandId) {
    return { what: { command: row.commandId }, of: `what command ${row.commandId} deleted` };
  }
  const at = row.change ? row.change.lastIndexOf('@') : -1;
  return at < 0 ? null : { what: { policy: row.change.slice(0, at), version: Number(row.change.slice(at + 1)) }, of: `what version ${row.change.slice(at + 1)} of ${scopeText(row.change.slice(0, at))} deleted` };
};

export const Trash = () => {
  const [problem, setProblem] = useState(null);
  const live = usePages(
    async (after, signal) => {
      const page = await get('/v1/trash', { limit: 50, after }, signal);
      return { rows: page.deletions, next: page.next, unanswered: page.unanswered };
    },
    [],
    (row) => [row.commandId, row.change, row.cause, row.scope, row.namespace].join('\n'),
    3000,
  );
  const mayUndo = may('POST /v1/undo');
  return html`
    <${Title} name="Undo">Deletes that can still be undone, and until when. The last is first.</${Title}>
    <${AuditTabs} here="undo" />
    <${Fault} problem=${problem} />
    <${Live} of=${live}>${(page) => html`
      <${Unanswered} of=${page.unanswered} />
      <${Card} label="List of deletes">
        ${page.rows.length === 0
          ? html`<${Empty} title="Nothing waits to be undone"><p>What a command deletes, or a new policy, can be undone for the time that its policy names in <b>undo</b>.</p></${Empty}>`
          : html`
            <${Table} caption="Deletes that can be undone" rows=${page.rows} columns=${[
              { head: 'Last deleted', th: true, cell: (row) => html`<${Time} at=${row.lastDeletedAt} />` },
              { head: 'Change or command', cell: (row) => html`<${Name} text=${row.commandId ? `command ${row.commandId}` : byChange(row.change) || scopeText(row.scope)} />` },
              { head: 'Namespace', cell: (row) => html`<${Name} text=${row.namespace ?? 'several'} />` },
              { head: 'Why', cell: (row) => html`<span class="nowrap">${cause(row.cause)}</span>` },
              { head: 'Events', num: true, cell: (row) => number(row.events) },
              { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
              ...(page.rows.some((row) => row.missing) ? [{ head: 'Missing', num: true, cell: (row) => number(row.missing) }] : []),
              { head: 'Until', cell: (row) => html`<${Time} at=${row.firstUntil} /> <span class="away">${fromNow(row.firstUntil)}</span>` },
              ...(mayUndo ? [{ head: '', end: true, cell: (row) => ofTrash(row) && html`<button type="button" class="plain" onClick=${() => undo(ofTrash(row), setProblem)} aria-label=${`Undo ${plain(ofTrash(row).of)}`}>Undo …</button>` }] : []),
            ]} />
            <${More} of=${live} />`}
      </${Card}>`}</${Live}>`;
};
