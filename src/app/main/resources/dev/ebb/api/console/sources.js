// Sources: what comes from which topic, how it is read, what goes back there, and what holds the start of a log.
import { html } from './ui.js';
import { ask, get, may, path } from './rest.js';
import { useLive } from './live.js';
import { number, plain } from './format.js';
import { MapTabs } from './tabs.js';
import { Card, Empty, Live, Name, Table, Time, Title } from './parts.js';
import { question } from './dialogs.js';

const PILL = { reading: 'good', behind: 'warned', pausing: 'warned', paused: 'warned', stopped: 'bad' };

const known = (value) => (value === null || value === undefined ? '–' : number(value));

const verbOf = (source) => (source.declaration.paused ? 'Resume' : 'Pause');

const pause = (source, done) => {
  const verb = verbOf(source);
  return question({
    title: html`${verb} the source <${Name} text=${source.name} />?`,
    body: verb === 'Pause'
      ? html`<p>The topic is not read any more, and sweeps send nothing there. What was read stays, and is read on from there.</p>`
      : html`<p>The topic is read on from where it was paused. Sweeps delete what is due of it once its end is reached.</p>`,
    verb,
    action: (author) => ask('POST', `${path`/v1/sources/${source.name}`}/${verb.toLowerCase()}`, { query: author }),
    done: (result) => {
      done();
      return result.waiting?.length > 0 ? 'The change waits for a confirmation.' : `The source ${plain(source.name)} is ${verb === 'Pause' ? 'being paused; its state says when no instance reads it' : 'resumed'}.`;
    },
  });
};

const Starts = ({ sources }) => {
  const rows = sources.flatMap((source) => (source.reading.starts || []).map((start) => ({ ...start, source: source.name })));
  return rows.length > 0 && html`
    <${Card} title="Starts of logs">
      <${Table} caption="Starts of the partitions of logs" saved="starts" rows=${rows} keyOf=${(row) => `${row.source}/${row.partition}`} columns=${[
        { head: 'Source', th: true, text: (row) => row.source, cell: (row) => html`<${Name} text=${row.source} />` },
        { head: 'Partition', num: true, text: (row) => row.partition, cell: (row) => number(row.partition) },
        { head: 'Start', num: true, text: (row) => row.start, cell: (row) => number(row.start) },
        { head: 'Can move to', num: true, text: (row) => row.next, cell: (row) => number(row.next) },
        { head: 'Held by', text: (row) => row.heldBy, cell: (row) => html`<${Name} text=${plain(row.heldBy)} />` },
      ]} />
    </${Card}>`;
};

const State = ({ of }) => html`
  <span class=${`pill ${PILL[of.state] || ''}`}>${of.state}</span>
  ${of.problem && html`<br /><span class="small muted"><${Name} text=${plain(of.problem)} /></span>`}
  ${of.lastFault && html`<br /><span class="small muted">Last fault${of.lastFaultAt && html`, <${Time} at=${of.lastFaultAt} />`}: <${Name} text=${plain(of.lastFault)} /></span>`}`;

export const Sources = () => {
  const live = useLive((signal) => get('/v1/sources', {}, signal), [], 5000);
  const change = may('POST /v1/sources/{name}/pause');
  return html`
    <${Title} name="Sources">Topics of others: what is read from where, and what a delete does to them.</${Title}>
    <${MapTabs} here="sources" />
    <${Live} of=${live}>${(page) => html`
      <${Card} title="Sources in force">
        ${page.sources.length === 0
          ? html`<${Empty} title="No source is in force"><p><code>ebb source test</code> shows what policies would do to a topic; <code>ebb source apply</code> has it read.</p></${Empty}>`
          : html`
            <${Table} caption="Sources in force" saved="sources" rows=${page.sources} keyOf=${(row) => row.name} columns=${[
              { head: 'Source', th: true, text: (row) => row.name, cell: (row) => html`<${Name} text=${row.name} />` },
              { head: 'Topic', text: (row) => row.topic, cell: (row) => html`<${Name} text=${row.topic} /> <span class="small muted">${row.as}</span>` },
              { head: 'Streams', text: (row) => row.stream, cell: (row) => html`<code><${Name} text=${row.stream} /></code>` },
              { head: 'State', text: (row) => row.reading.state, cell: (row) => html`<${State} of=${row.reading} />` },
              { head: 'Lag', num: true, text: (row) => row.reading.lag ?? '', cell: (row) => known(row.reading.lag) },
              { head: 'A second', num: true, text: (row) => row.reading.perSecond ?? '', cell: (row) => known(row.reading.perSecond) },
              { head: 'Rejected', num: true, text: (row) => row.reading.rejected, cell: (row) => number(row.reading.rejected) },
              { head: 'Overtaken', num: true, text: (row) => row.reading.overtaken, cell: (row) => number(row.reading.overtaken) },
              { head: 'Target', text: (row) => row.target, cell: (row) => html`<${Name} text=${row.target} />` },
              { head: 'Mode', text: (row) => row.mode, cell: (row) => row.mode },
              ...(change ? [{ head: '', end: true, cell: (row) => html`<button type="button" class="plain" onClick=${() => pause(row, live.again)} aria-label=${`${verbOf(row)} ${plain(row.name)}`}>${verbOf(row)} …</button>` }] : []),
            ]} />`}
      </${Card}>
      <${Starts} sources=${page.sources} />`}</${Live}>`;
};
