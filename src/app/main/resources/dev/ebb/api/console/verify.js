// Verify: stores and SQL compared, and rows that differ sent again.
import { html, useEffect, useRef, useState } from './ui.js';
import { ask, get, may, path } from './rest.js';
import { count, number, plain } from './format.js';
import { MapTabs } from './tabs.js';
import { Card, Empty, Fault, Name, Table, Title } from './parts.js';
import { question } from './dialogs.js';

const KEPT = 'ebb.verification';
const EVERY_MS = 1000;

const VERDICT = (result) => {
  const left = result.repair ? result.repair.unhealed : result.differences;
  if (left > 0) {
    return ['bad', `${count(left, 'row')} differ${left === 1 ? 's' : ''}`];
  }
  if (result.refused > 0) {
    return ['bad', `${count(result.refused, 'row')} ${result.refused === 1 ? 'is' : 'are'} refused by the database`];
  }
  return result.mirrorBehind ? ['warned', 'Equal as far as SQL has caught up'] : ['good', 'Stores and SQL are equal'];
};

const Result = ({ result }) => {
  const [tone, text] = VERDICT(result);
  return html`
    <div class=${`note ${tone}`} role="status"><strong>${text}</strong>
      <span>${number(result.event.stored)} events stored and ${number(result.event.sql)} in SQL; ${number(result.execution.stored)} executions and ${number(result.execution.sql)}.</span>
      <span>Compared: ${count(result.compared.streams, 'stream')} in ${count(result.compared.months.length, 'month')}; the stores until ${result.compared.storesTo}, SQL until ${result.compared.sqlTo}. Later changes are no part of it.</span>
      ${result.refused > 0 && html`<span>${count(result.refused, 'row')} set aside, the newest of ${result.refusedRows[0].table}: <${Name} text=${`${result.refusedRows[0].key}: ${result.refusedRows[0].reason}`} /></span>`}
      ${result.repair && html`<span>Sent again: ${count(result.repair.rowsSent, 'row')}; taken out: ${number(result.repair.rowsRemoved)}.</span>`}
      ${result.moving > 0 && html`<span>${count(result.moving, 'row')} did not stand still while they were compared.</span>`}
    </div>
    ${result.rows.length > 0 && html`<${Table} caption="Rows that differ" rows=${result.rows} columns=${[
      { head: 'Stream', th: true, cell: (row) => html`<${Name} text=${row.stream} />` },
      { head: 'Row', cell: (row) => html`<${Name} text=${row.eventId ?? `execution ${row.execution}`} />` },
      { head: 'Table', cell: (row) => row.table },
      { head: 'How', cell: (row) => `${row.what.toLowerCase().replaceAll('_', ' ').replace('sql', 'SQL')}${row.fields.length ? `: ${row.fields.join(', ')}` : ''}` },
      { head: 'Why', cell: (row) => html`<${Name} text=${row.why ?? ''} />${row.byHand && html` <code>${row.byHand}</code>`}` },
    ]} />
    ${result.rowsLeftOut > 0 && html`<p class="muted">and ${count(result.rowsLeftOut, 'more row')}</p>`}`}`;
};

export const Verify = () => {
  const [job, setJob] = useState(null);
  const [problem, setProblem] = useState(null);
  const timer = useRef(null);
  const isLeft = useRef(false);
  const later = (id, ms) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => follow(id), ms);
  };
  const follow = (id) => {
    sessionStorage.setItem(KEPT, id);
    if (document.hidden) {
      later(id, EVERY_MS);
      return;
    }
    get(path`/v1/verify/${id}`).then(
      (view) => {
        if (!isLeft.current) {
          setJob(view);
          setProblem(null);
          if (view.state === 'RUNNING') {
            later(id, EVERY_MS);
          }
        }
      },
      (failed) => {
        if (isLeft.current) {
          return;
        }
        if (failed.status === 404) {
          sessionStorage.removeItem(KEPT);
          setJob(null);
        } else {
          // The comparison goes on, whether or not it can be asked about.
          setProblem(failed);
          later(id, 5 * EVERY_MS);
        }
      },
    );
  };
  useEffect(() => {
    const id = sessionStorage.getItem(KEPT);
    if (id) {
      follow(id);
    }
    return () => {
      isLeft.current = true;
      clearTimeout(timer.current);
    };
  }, []);
  const begin = async (where, query) => {
    setProblem(null);
    clearTimeout(timer.current);
    const started = await ask('POST', where, { query });
    setJob(started);
    follow(started.id);
    return started;
  };
  const compare = () => begin('/v1/verify').catch(setProblem);
  const repair = () =>
    question({
      title: 'Compare, and send rows that differ again?',
      body: html`<p>The stores are right: SQL gets what it lacks, and loses what it has too much.</p>`,
      verb: 'Repair',
      action: (query) => begin('/v1/verify/repair', query),
      done: (answer, by) => `The repair has begun${by ? `, by ${plain(by)}` : ''}.`,
    });
  const isRunning = job?.state === 'RUNNING';
  const actions = html`
    ${may('POST /v1/verify/repair') && html`<button type="button" disabled=${isRunning} onClick=${repair}>Repair …</button>`}
    <button type="button" class="main" disabled=${isRunning} onClick=${compare}>Compare</button>`;
  return html`
    <${Title} name="Verify" actions=${actions}>Whether SQL has exactly what the stores have.</${Title}>
    <${MapTabs} here="verify" />
    <${Fault} problem=${problem} />
    <${Card} label="Comparison">
      ${!job
        ? html`<${Empty} title="Nothing has been compared in this tab"><p>A comparison reads all rows, and says which differ. It changes nothing and may run at any time.</p></${Empty}>`
        : html`
          ${isRunning && html`<p role="status"><b>Comparing.</b> <${Name} text=${job.doing} />: ${count(job.streams, 'stream')} so far, ${count(job.differences, 'difference')}.</p>`}
          ${job.detail && html`<div class="note bad" role="alert"><strong>There is no result</strong><span><${Name} text=${job.detail} /></span></div>`}
          ${job.result && html`<${Result} result=${job.result} />`}`}
    </${Card}>`;
};
