// Map: instances, their partitions, and how well each part is.
import { html } from './ui.js';
import { get, open } from './rest.js';
import { useLive } from './live.js';
import { to } from './router.js';
import { bytes, count, duration, number, percent, plain } from './format.js';
import { MapTabs } from './tabs.js';
import { Bar, Card, Live, Name, Table, Time, Title, Unanswered } from './parts.js';

const pill = (good, text) => html`<span class=${`pill ${good ? 'good' : 'bad'}`}>${good ? '●' : '▲'} ${text}</span>`;

const Clock = ({ clock }) => {
  if (clock.problem) {
    return html`<span class="bad"><${Name} text=${clock.problem} /></span>`;
  }
  return clock.aheadMs === null ? html`<span class="muted">not measured yet</span>` : `${duration(Math.abs(clock.aheadMs))} ${clock.aheadMs < 0 ? 'behind' : 'ahead'} of the broker, trusted`;
};

const Mirror = ({ mirror }) => {
  if (!mirror) {
    return html`<span class="muted">no SQL mirror</span>`;
  }
  return html`${pill(mirror.state.startsWith('RUNNING'), mirror.state.toLowerCase())} ${mirror.lag === null ? 'lag not known' : `${count(mirror.lag, 'record')} behind`}${mirror.refused > 0 ? html`, <span class="bad">${count(mirror.refused, 'row')} refused by the database</span>` : ''}${mirror.restarts > 0 ? `, ${count(mirror.restarts, 'restart')}` : ''}${mirror.detail ? html` <span class="bad"><${Name} text=${mirror.detail} /></span>` : ''}`;
};

const Restores = ({ restoring }) =>
  restoring.map((one) => {
    const share = one.total > 0 ? one.done / one.total : 0;
    const left = one.perSecond > 0 ? (one.total - one.done) / one.perSecond : null;
    return html`<div key=${`${one.partition}${one.store}`} class="field"><span class="label">Restoring ${one.store}, partition ${one.partition}: ${percent(share)}, ${number(one.perSecond)} a second${left === null ? '' : `, ${duration(left * 1000)} left`}</span>
      <${Bar} share=${share} label=${`${percent(share)} restored`} /></div>`;
  });

const value = (text, pattern) => {
  const found = pattern.exec(text);
  return found ? Number(found[1]) : null;
};

/** The memory of the instance that is asked, from its meters. */
const memory = async (signal) => {
  const text = await (await open('GET', '/metrics', { signal, accept: 'text/plain' })).text();
  const parts = [
    ['heap', /^jvm_memory_used_bytes\{area="heap"\} (\S+)/m, /^jvm_memory_max_bytes\{area="heap"\} (\S+)/m],
    ['blocks of the stores', /^ebb_memory_bytes\{of="blocks"\} (\S+)/m, /^ebb_memory_limit_bytes\{of="blocks"\} (\S+)/m],
    ['lookups in the stores', /^ebb_memory_bytes\{of="lookups"\} (\S+)/m, /^ebb_memory_limit_bytes\{of="lookups"\} (\S+)/m],
  ];
  return parts.map(([name, used, most]) => ({ name, used: value(text, used), most: value(text, most) })).filter((part) => part.used !== null && part.most > 0);
};

const Memory = () => {
  const live = useLive(memory, [], 5000);
  return html`<${Live} of=${live}>${(parts) => parts.map((part) => html`<div class="field" key=${part.name}><span class="label">${part.name}: ${bytes(part.used)} of ${bytes(part.most)}</span><${Bar} share=${part.used / part.most} label=${`${percent(part.used / part.most)} of ${part.name}`} /></div>`)}</${Live}>`;
};

const Instance = ({ one, isAsked }) => html`
  <${Card} title=${html`<${Name} text=${one.instance} />`} label=${`Instance ${plain(one.instance)}`} actions=${html`${isAsked && html`<span class="pill">this page</span>`}${pill(one.state === 'RUNNING', one.state.toLowerCase())}`}>
    <dl class="facts">
      <dt>Partitions</dt><dd>${one.partitions.length ? one.partitions.map((part) => part.partition).join(', ') : 'none'}</dd>
      <dt>Input</dt><dd>${one.input.lag === null ? 'lag not known' : one.input.lag === 0 ? 'all taken in' : `${count(one.input.lag, 'record')} behind`}</dd>
      <dt>Mirror</dt><dd><${Mirror} mirror=${one.mirror} /></dd>
      <dt>Clock</dt><dd><${Clock} clock=${one.clock} /></dd>
      <dt>Sweeps</dt><dd>${one.sweepEnabled ? 'on' : html`<span class="bad">switched off by sweep.enabled</span>`}</dd>
      <dt>Memory</dt><dd>${isAsked ? html`<${Memory} />` : html`<a href=${`${location.protocol}//${one.instance}/#/map`}>on its own page</a>`}</dd>
      <dt>Version</dt><dd>${one.version}, up since <${Time} at=${one.startedAt} seconds=${false} /></dd>
    </dl>
    ${one.policies.unreadable && html`<div class="note bad"><strong>A policy cannot be read, so nothing is swept</strong><span><${Name} text=${one.policies.unreadable} /></span></div>`}
    <${Restores} restoring=${one.restoring} />
    <${Table} caption=${`Partitions of ${one.instance}`} rows=${one.partitions} keyOf=${(row) => row.partition} columns=${[
      { head: 'Partition', th: true, cell: (row) => row.partition },
      { head: 'Sweeper', cell: (row) => row.state },
      { head: 'Streams', num: true, cell: (row) => number(row.streams) },
      { head: 'Due', num: true, cell: (row) => number(row.dueStreams) },
      { head: 'Waiting', num: true, cell: (row) => number(row.parkedRecords) },
      { head: 'Last sweep', cell: (row) => html`<${Time} at=${row.lastSweepCompleted} />` },
    ]} />
    ${one.partitions.flatMap((row) => Object.entries(row.quarantined)).map(([stream, why]) => html`<div class="note bad" key=${stream}><strong>In quarantine: <a href=${to(['streams', stream])}><${Name} text=${stream} /></a></strong><span><${Name} text=${why} /></span></div>`)}
    ${one.partitions.flatMap((row) => row.parkedFor).map((wait) => html`<div class="note warned" key=${wait.waitsFor}><strong>${count(wait.records, 'record')} of ${count(wait.streams, 'stream')} wait for <${Name} text=${wait.waitsFor} /></strong><span>${wait.kind}${wait.problem ? html`: <${Name} text=${wait.problem} />` : ''}</span></div>`)}
  </${Card}>`;

const Sum = ({ sum, partitions, unkept, instances, away }) => html`
  <${Card} label="All instances">
    <dl class="figures">
      <div><dt>Instances</dt><dd>${number(instances)}${away > 0 ? ` of ${number(instances + away)}` : ''}<small>${count(partitions, 'partition')}, ${unkept.length ? html`<span class="bad">${unkept.length} without an instance</span>` : 'all kept'}</small></dd></div>
      <div><dt>Stored</dt><dd>${number(sum.stored.events)}<small>${bytes(sum.stored.bytes)} in ${count(sum.stored.streams, 'stream')}</small></dd></div>
      <div><dt>Taken in</dt><dd>${number(sum.counts.ingested)}<small>since the start of each</small></dd></div>
      <div><dt>Waiting</dt><dd>${number(sum.parkedRecords)}<small>records without their schema</small></dd></div>
      <div><dt>Quarantine</dt><dd>${number(sum.quarantinedStreams)}<small>streams</small></dd></div>
      <div><dt>Rejected</dt><dd><a href=${to(['rejected'])}>${number(sum.counts.rejected)}</a><small>since the start of each</small></dd></div>
    </dl>
  </${Card}>`;

export const Map = () => {
  const live = useLive((signal) => get('/v1/instances', {}, signal), []);
  return html`
    <${Title} name="Status">Instances, what each keeps, and how it is.</${Title}>
    <${MapTabs} here="map" />
    <${Live} of=${live}>${(all) => html`
      <${Unanswered} of=${all.unanswered} />
      ${all.unkept.length > 0 && html`<div class="note warned" role="status"><strong>${count(all.unkept.length, 'partition')} without an instance: ${all.unkept.join(', ')}</strong><span>They are being moved or restored, or belong to an instance that does not answer. What they hold is not lost: it is on Kafka.</span></div>`}
      <${Sum} sum=${all.sum} partitions=${all.partitions} unkept=${all.unkept} instances=${all.instances.length} away=${all.unanswered.length} />
      <div class="columns">${all.instances.map((one) => html`<${Instance} key=${one.instance} one=${one} isAsked=${one.instance === all.askedInstance} />`)}</div>`}</${Live}>`;
};
