// Sweeps: what each of them found and deleted.
import { html, useState } from './ui.js';
import { get, may, path } from './rest.js';
import { useLive, usePages } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, duration, number } from './format.js';
import { downloadReceipt } from './audit.js';
import { AuditTabs } from './tabs.js';
import { Card, Empty, Fault, Live, More, Name, Table, Time, Title } from './parts.js';
import { planned, tried } from './commands.js';
import { cause } from './words.js';

const tallies = (sums) =>
  Object.entries(sums)
    .map(([name, { events }]) => `${number(events)} ${cause(name)}`)
    .join(', ');

const found = (row) => (row.mode === 'warn' ? `only found, its policy warns: ${tallies(row.wouldDelete)}` : tallies(row.deleted));

const Detail = ({ id, onClose }) => {
  const [problem, setProblem] = useState(null);
  const live = useLive((signal) => get(path`/v1/sweeps/${id}`, {}, signal), [id], 0);
  const receipt = () => downloadReceipt(`sweep-${id}`, { sweep: id });
  const actions = html`
    <a class="button" href=${to(['audit'], { sweep: id })}>Its audit records</a>
    ${may('GET /v1/receipts') && html`<button type="button" onClick=${tried(receipt, setProblem)}>Receipt</button>`}
    <button type="button" onClick=${onClose}>Close</button>`;
  return html`
    <${Card} title="Sweep" actions=${actions}>
      <${Fault} problem=${problem} />
      <${Live} of=${live}>${({ sweep, byPartition }) => html`
        <dl class="facts">
          <dt>Decided against</dt><dd><${Time} at=${sweep.sweepPoint} /></dd>
          <dt>Took</dt><dd>${duration(sweep.durationMs)}${sweep.stoppedEarly ? ', stopped early' : ''}</dd>
          <dt>Looked at</dt><dd>${count(sweep.streamsProcessed, 'stream')}</dd>
          <dt>Kept</dt><dd>${number(sweep.protectedEvents)} protected, ${number(sweep.heldEvents)} held</dd>
        </dl>
        <${Table} caption="By partition" rows=${byPartition} keyOf=${(row) => row.id} columns=${[
          { head: 'Partition', th: true, cell: (row) => row.partitions.join(', ') },
          { head: 'Events', num: true, cell: (row) => number(row.eventsDeleted) },
          { head: 'Size', num: true, cell: (row) => bytes(row.bytesDeleted) },
          { head: 'Why', cell: found },
        ]} />`}</${Live}>
    </${Card}>`;
};

export const Sweeps = ({ place }) => {
  const [problem, setProblem] = useState(null);
  const live = usePages(
    async (after, signal) => {
      const page = await get('/v1/sweeps', { limit: 50, after }, signal);
      return { rows: page.sweeps, next: page.next };
    },
    [],
    (row) => row.mode + row.id,
    3000,
  );
  const sweepNow = tried(() => planned({ title: 'Sweep all streams now?', method: 'POST', where: '/v1/sweeps', verb: 'Sweep now' }), setProblem);
  return html`
    <${Title} name="Sweeps" actions=${may('POST /v1/sweeps') && html`<button type="button" onClick=${sweepNow}>Sweep now …</button>`}>Each sweep that found something, newest first. They run by themselves.</${Title}>
    <${AuditTabs} here="sweeps" />
    <${Fault} problem=${problem} />
    ${place.query.sweep && html`<${Detail} key=${place.query.sweep} id=${place.query.sweep} onClose=${() => refine({ sweep: '' })} />`}
    <${Card} label="List of sweeps">
      <${Live} of=${live}>${(page) =>
        page.rows.length === 0
          ? html`<${Empty} title="No sweep has found anything yet"><p>Sweeps run all the time; the first that deletes something is shown here. <a href=${to(['tide'])}>Tide</a> says when that will be.</p></${Empty}>`
          : html`
            <${Table} caption="Sweeps" rows=${page.rows} keyOf=${(row) => row.mode + row.id} columns=${[
              { head: 'When', th: true, cell: (row) => html`<a href=${to(['sweeps'], { sweep: row.id })}><${Time} at=${row.completed} /></a>` },
              { head: 'Asked by', cell: (row) => (row.commandId ? html`command <${Name} text=${row.commandId} />` : row.trigger.toLowerCase()) },
              { head: 'Partitions', num: true, cell: (row) => number(row.partitions.length) },
              { head: 'Events', num: true, cell: (row) => number(row.mode === 'warn' ? row.eventsWouldDelete : row.eventsDeleted) },
              { head: 'Size', num: true, cell: (row) => bytes(row.mode === 'warn' ? row.bytesWouldDelete : row.bytesDeleted) },
              { head: 'Why', cell: found },
            ]} />
            <${More} of=${live} />`}</${Live}>
    </${Card}>`;
};
