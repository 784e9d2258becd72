// The compliance report: by scope what is kept, what is overdue, and what went in a stretch of time.
import { html } from './ui.js';
import { get } from './rest.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { number } from './format.js';
import { Card, Live, Moment, Name, Table, Time, Title, Unanswered } from './parts.js';
import { AuditTabs } from './tabs.js';
import { download } from './audit.js';
import { summary } from './scopes.js';
import { cause, scope as scopeText } from './words.js';

const gone = (row) =>
  Object.entries(row.deleted)
    .map(([name, amount]) => `${number(amount.events)} ${cause(name)}`)
    .join(', ') || 'nothing';

const Sum = ({ report }) => {
  const overdue = report.scopes.reduce((sum, row) => sum + row.overdue, 0);
  const bound = report.exact ? '' : 'At least ';
  return html`<p class="lead">${overdue === 0
    ? `${report.exact ? 'No event is overdue' : 'No event that was looked at is overdue'}: nothing stays beyond its policy.`
    : html`${bound}<b>${number(overdue)}</b> ${overdue === 1 ? 'event is' : 'events are'} overdue: due by policy, and still there.`}</p>`;
};

export const Report = ({ place }) => {
  const { from, to: until } = place.query;
  const live = useLive((signal) => get('/v1/reports/compliance', { from, to: until }, signal), [from, until], 15000);
  const save = () => download(`compliance-${live.data.at.slice(0, 10)}.json`, `${JSON.stringify(live.data, null, 2)}\n`);
  return html`
    <${Title} name="Report" actions=${live.data && html`<button type="button" onClick=${save}>Save as a file</button>`}>By scope: what is kept, what is overdue, and what went. Each stream counts under the narrowest scope that has a policy.</${Title}>
    <${AuditTabs} here="report" />
    <${Card} label="Compliance">
      <form class="search" onSubmit=${(event) => event.preventDefault()}>
        <${Moment} label="Deletes from" value=${from || ''} onInput=${(text) => refine({ from: text })} />
        <${Moment} label="Deletes to" value=${until || ''} onInput=${(text) => refine({ to: text })} />
      </form>
      <${Live} of=${live}>${(report) => html`
        <${Unanswered} of=${report.unanswered} />
        <${Sum} report=${report} />
        <${Table} caption="Compliance by scope" rows=${report.scopes} keyOf=${(row) => row.scope} columns=${[
          { head: 'Scope', th: true, cell: (row) => html`<a href=${to(['policies', row.scope])}><${Name} text=${scopeText(row.scope)} /></a>` },
          { head: 'Rules', cell: (row) => html`<span class="small"><${Name} text=${summary(row.policy)} /></span>` },
          { head: 'Streams', num: true, cell: (row) => number(row.streams) },
          { head: 'Events', num: true, cell: (row) => number(row.events) },
          { head: 'Oldest', cell: (row) => html`<${Time} at=${row.oldest} seconds=${false} />` },
          { head: 'Overdue', num: true, cell: (row) => (row.overdue > 0 ? html`<b class="bad">${number(row.overdue)}</b>` : '0') },
          { head: 'Holds', cell: (row) => (row.holds.length ? html`<${Name} text=${row.holds.join(', ')} />` : 'none') },
          { head: 'Went', cell: gone },
        ]} />
        ${!report.exact && html`<p class="small muted">Counts are lower bounds: there was too much to read, or an instance does not answer.</p>`}
        <p class="small muted">As of <${Time} at=${report.at} />, by version ${report.policyVersion} of the policies.</p>`}</${Live}>
    </${Card}>`;
};
