// Tide: what is stored, what went, and what falls due when.
import { html, useMemo } from './ui.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, number, percent } from './format.js';
import { Amount, Card, Choice, Empty, Live, Name, Swatch, Table, Time, Title, Unanswered } from './parts.js';
import { StackPlot } from './plot.js';
import { Numbers, Readout } from './readout.js';
import { Ahead, Behind } from './behind.js';
import { RANGES, bars, load, namespaces, plus, rangeOf, sum, within } from './tides.js';

const HINT = 'Point at a bar to read it. Drag over bars, or choose some with the arrow keys, to see the streams behind them.';

/** The answer to the first question, in words. */
const Sentence = ({ forecast, rows, range }) => {
  const due = rows.map((row) => ({ row, due: sum(row.due) }));
  const all = sum(due.map((one) => one.due));
  const most = due.filter((one) => one.row.namespace !== null && one.due.events > 0).sort((a, b) => b.due.events - a.due.events).slice(0, 2);
  if (all.events === 0) {
    return html`<p class="lead">Nothing of the ${number(forecast.stored.events)} stored events falls due in ${RANGES[range].next}.</p>`;
  }
  const from = most.map(({ row, due: own }, i) => html`${i > 0 ? ' and ' : ''}<b><${Name} text=${row.name} /></b> (${number(own.events)})`);
  return html`<p class="lead">${forecast.exact ? '' : 'About '}<b>${count(all.events, 'event')}</b> (${bytes(all.bytes)}) of ${number(forecast.stored.events)} fall${all.events === 1 ? 's' : ''} due in ${RANGES[range].next}: ${percent(all.events / forecast.stored.events)} of what is stored${most.length > 0 && html`, most of it from ${from}`}.</p>`;
};

const Notes = ({ forecast, history, shape }) => html`
  ${!forecast.exact && html`<p class="small muted">Figures of long streams are spread between what is known of them; their sums are right.</p>`}
  ${forecast.windows && html`<p class="small muted">A policy limits sweeps to windows of the day: what falls due outside of one goes in the next.</p>`}
  ${history && !history.complete && html`<p class="small muted">The audit is still being read: more may have gone than the bars show.</p>`}
  ${history && shape.start > 0 && history.preciseFrom > shape.buckets[0].from && html`<p class="small muted">Deletes before <${Time} at=${history.preciseFrom} seconds=${false} /> are kept by the hour or day, so that a bar may have those of its neighbours.</p>`}
  ${history && shape.start > 0 && history.since > shape.buckets[0].from && html`<p class="small muted">Deletes are known from <${Time} at=${history.since} seconds=${false} /> on.</p>`}`;

const Namespaces = ({ rows, unit, range }) => html`
  <${Card} title="By namespace">
    <${Table} caption=${`Namespaces in ${unit}`} rows=${rows} keyOf=${(row) => row.namespace ?? ' others'} columns=${[
      {
        head: 'Namespace',
        th: true,
        cell: (row) => html`<span><${Swatch} colour=${row.colour} />${row.namespace === null ? row.name : html`<a href=${to(['streams'], { namespace: row.namespace })}><${Name} text=${row.namespace} /></a>`}</span>`,
      },
      { head: 'Stored', num: true, cell: (row) => html`<${Amount} amount=${row.stored} unit=${unit} />` },
      { head: 'Overdue', num: true, cell: (row) => html`<${Amount} amount=${plus(row.overdue, row.sooner)} unit=${unit} />` },
      { head: `Due in ${RANGES[range].next.replace('the next ', '')}`, num: true, cell: (row) => html`<b><${Amount} amount=${sum(row.due)} unit=${unit} /></b>` },
      { head: 'Later', num: true, cell: (row) => html`<${Amount} amount=${row.later} unit=${unit} />` },
      { head: 'No due time', num: true, cell: (row) => html`<${Amount} amount=${row.never} unit=${unit} />` },
    ]} />
  </${Card}>`;

const dayFrom = (days) => new Date(new Date().setHours(0, 0, 0, 0)).setDate(new Date().getDate() + days);

/** Stretches that people ask for, in the zone of the reader; a range that shows them as a whole comes with them. */
const Picks = ({ picked }) => {
  const days = [
    ['Yesterday', -1, 0],
    ['Today', 0, 1],
    ['Tomorrow', 1, 2],
    ['Next 7 days', 1, 8],
  ].map(([name, first, last]) => ({ name, from: dayFrom(first), to: dayFrom(last) }));
  return html`<div class="actions"><span class="small muted" id="picks">Look into</span>
    <div class="choice" role="group" aria-labelledby="picks">${days.map(({ name, from, to: end }) => {
      const isPicked = picked?.from === from && picked?.to === end;
      return html`<button key=${name} type="button" aria-pressed=${String(isPicked)} onClick=${() => refine(isPicked ? { from: '', to: '' } : { range: name === 'Next 7 days' ? 'month' : 'week', from, to: end })}>${name}</button>`;
    })}</div></div>`;
};

const Nothing = () => html`
  <${Card} label="Nothing is stored"><${Empty} title="The tide is out: nothing is stored">
    <p>Send a first event, and see here when it will go:</p>
    <pre>echo '{"stream":"orders/eu-1","id":"o-1","type":"order"}' | ebb produce -f -</pre>
    <p>Then say on <a href=${to(['policies'])}>Policies</a> how long such events live.</p>
  </${Empty}></${Card}>`;

const Shown = ({ forecast, history, range, unit, picked, pick, loading }) => {
  const rows = useMemo(() => namespaces(forecast), [forecast]);
  // Where nothing went, the future has the whole width.
  const past = history?.deleted.events > 0 ? history : null;
  const shape = useMemo(() => bars(forecast, past, rows, unit), [forecast, past, rows, unit]);
  if (forecast.stored.events === 0 && !history?.deleted.events && forecast.partitionsMissing === 0) {
    return html`<${Nothing} />`;
  }
  // Where no partition could be looked at, a figure of 0 would be no figure.
  const isUnknown = forecast.stored.events === 0 && forecast.partitionsMissing > 0;
  // Bars move on with time; a selection stays with the times that it was made for.
  const selected = picked && within(shape.buckets, picked);
  const select = (chosen) => pick(chosen && { from: shape.buckets[chosen[0]].from, to: shape.buckets[chosen[1]].to });
  return html`
    <${Unanswered} of=${forecast.unanswered} />
    ${forecast.partitionsMissing > 0 && !forecast.unanswered?.length && html`<div class="note warned" role="status"><strong>${count(forecast.partitionsMissing, 'partition')} could not be looked at</strong><span>The events there are in no figure. They are being moved or restored; <a href=${to(['map'])}>Map</a> shows how far that is.</span></div>`}
    ${isUnknown ? html`<p class="lead">What is stored, and when it goes, is not known yet.</p>` : html`<${Sentence} forecast=${forecast} rows=${rows} range=${range} />`}
    <${Card} label="Plot of deletes">
      <div class=${loading ? 'loading' : ''}>
        <${StackPlot} buckets=${shape.buckets} layers=${shape.layers} unit=${unit} now=${forecast.at} start=${shape.start} selected=${selected} onSelect=${select}
          label=${`Bars of ${unit}: what went, by cause, and what falls due, by namespace.`}
          say=${(chosen) => html`<${Readout} shape=${shape} chosen=${chosen} unit=${unit} hint=${HINT} />`} />
      </div>
      <${Picks} picked=${picked} />
      <${Notes} forecast=${forecast} history=${history} shape=${shape} />
      <${Numbers} shape=${shape} unit=${unit} />
    </${Card}>
    ${picked && html`<${Behind} from=${picked.from} to=${picked.to} now=${forecast.at} onClose=${() => pick(null)} />`}
    ${!isUnknown && html`<${Namespaces} rows=${rows} unit=${unit} range=${range} />`}
    ${!picked && !isUnknown && html`<${Ahead} from=${forecast.buckets[0].from} to=${shape.buckets[shape.buckets.length - 1].to} next=${RANGES[range].next} />`}`;
};

export const Tide = ({ place }) => {
  const range = rangeOf(place.query.range);
  const unit = place.query.unit === 'bytes' ? 'bytes' : 'events';
  const { from, to: end } = place.query;
  const picked = useMemo(() => (from && end && Number(from) < Number(end) ? { from: Number(from), to: Number(end) } : null), [from, end]);
  const pick = (chosen) => refine(chosen || { from: '', to: '' });
  const live = useLive(load(range), [range]);
  const actions = html`
    <${Choice} label="Time that is shown" value=${range} of=${Object.entries(RANGES).map(([key, { name }]) => [key, name])} onChange=${(key) => refine({ range: key, from: '', to: '' })} />
    <${Choice} label="Unit" value=${unit} of=${[['events', 'Events'], ['bytes', 'Bytes']]} onChange=${(key) => refine({ unit: key })} />`;
  return html`
    <${Title} name="Tide" actions=${actions}>What went, what is stored, and what goes when.</${Title}>
    <${Live} of=${live}>${({ forecast, history }) => html`<${Shown} forecast=${forecast} history=${history} range=${range} unit=${unit} picked=${picked} pick=${pick} loading=${live.loading} />`}</${Live}>`;
};
