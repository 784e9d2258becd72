// Parked records: what waits for a schema or for an earlier record of its stream, and the two ways to end the wait.
import { html } from './ui.js';
import { ask, get, may } from './rest.js';
import { useLive } from './live.js';
import { to } from './router.js';
import { bytes, count, number, plain } from './format.js';
import { MapTabs } from './tabs.js';
import { Card, Empty, Live, Name, Table, Time, Title, Unanswered } from './parts.js';
import { question } from './dialogs.js';

const retry = (done) =>
  question({
    title: 'Ask the registry again?',
    body: html`<p>All streams that wait for a schema look for it at once. Nothing is lost if it is still missing.</p>`,
    verb: 'Ask again',
    reason: false,
    action: () => ask('POST', '/v1/parked/retry', { body: {} }),
    done: () => {
      done();
      return 'The registry is asked again.';
    },
  });

export const Parked = () => {
  const live = useLive((signal) => get('/v1/parked', { limit: 200 }, signal), [], 5000);
  return html`
    <${Title} name="Parked">Records that wait, so that nothing of their streams is taken in out of order.</${Title}>
    <${MapTabs} here="parked" />
    <${Card} title="Streams with waiting records" actions=${may('POST /v1/parked/retry') && html`<button type="button" onClick=${() => retry(live.again)}>Ask the registry again …</button>`}>
      <${Live} of=${live}>${(page) => html`
        <${Unanswered} of=${page.unanswered} />
        ${page.parked.length === 0
          ? html`<${Empty} title="No record waits"><p>A record waits here if its schema is not known yet, or if an earlier one of its stream waits.</p></${Empty}>`
          : html`
            <${Table} caption="Streams with waiting records" saved="parked" rows=${page.parked} keyOf=${(row) => `${row.partition}/${row.stream}`} columns=${[
              { head: 'Stream', th: true, text: (row) => row.stream, cell: (row) => html`<a href=${to(['streams', row.stream])}><${Name} text=${row.stream} /></a>` },
              { head: 'Since', text: (row) => row.since, cell: (row) => html`<${Time} at=${row.since} away />` },
              { head: 'Waits for', text: (row) => row.waitsFor, cell: (row) => html`<span><${Name} text=${row.waitsFor} /><br /><span class="small muted"><${Name} text=${plain(row.problem)} /></span></span>` },
              { head: 'Records', num: true, text: (row) => row.records, cell: (row) => number(row.records) },
              { head: 'Size', num: true, text: (row) => row.bytes, cell: (row) => bytes(row.bytes) },
            ]} />
            ${page.isMore && html`<p class="small muted">The ${count(page.parked.length, 'stream')} with the longest wait; there are more.</p>`}
            <p class="small muted"><code>ebb parked drop</code> gives records up that cannot be taken in any more; they are kept among the rejected ones.</p>`}`}</${Live}>
    </${Card}>`;
};
