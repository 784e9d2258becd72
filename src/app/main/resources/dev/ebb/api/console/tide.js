// Tide: what is stored, what went, and what falls due when.
import { html, useEffect, useMemo, useState } from './ui.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, number, percent } from './format.js';
import { Amount, Card, Choice, Empty, Live, Moment, Name, Swatch, Table, Time, Title, Unanswered } from './parts.js';
import { StackPlot } from './plot.js';
import { Numbers, Readout } from './readout.js';
import { Ahead, Behind } from './behind.js';
import { RANGES, aheadOf, between, rangeOf } from './spans.js';
import { bars, eachNamespace, load, namespaces, plus, readShare, sum, within } from './tides.js';
import { dayFrom } from './times.js';

const HINT = 'Point at a bar to read it. Drag over bars, or choose some with the arrow keys, to see the streams behind them; then “Show this time” zooms in.';

/** A figure is shown once most of the events behind it have been read. */
const ENOUGH = 0.9;

/** How far the figures have been read, where that is not all. */
const Reading = ({ forecast }) => {
  const share = readShare(forecast);
  return share < 1
    ? html`<p class="lead" role="status">The due times of <b>${percent(share)}</b> of ${count(forecast.stored.events, 'event')} have been read so far. ${share < ENOUGH ? 'How many fall due is not known yet: bars and tables below are guesses until then.' : 'The figures of the others are guesses.'}</p>`
    : null;
};

/** What went in a stretch of the past. */
const Gone = ({ history, span }) =>
  html`<p class="lead">${history?.complete === false ? 'At least ' : ''}<b>${count(history?.deleted.events ?? 0, 'event')}</b> (${bytes(history?.deleted.bytes ?? 0)}) went ${span.next}.</p>`;

/** Events of an instance that is away are in no figure of a forecast. */
const isPart = ({ partitionsMissing, unanswered }) => partitionsMissing > 0 || unanswered?.length > 0;

/** The answer to the first question, in words. */
const Sentence = ({ forecast, rows, span }) => {
  if (readShare(forecast) < ENOUGH) {
    return null;
  }
  // What is overdue goes with the next sweep; before a chosen time it goes before it.
  const due = rows.map((row) => ({ row, due: sum(span.isChosen ? row.due : [row.overdue, row.sooner, ...row.due]) }));
  const all = sum(due.map((one) => one.due));
  const most = due.filter((one) => one.row.namespace !== null && one.due.events > 0).sort((a, b) => b.due.events - a.due.events).slice(0, 2);
  if (all.events === 0) {
    return html`<p class="lead">Nothing of the ${number(forecast.stored.events)} ${isPart(forecast) ? 'events that can be read now' : 'stored events'} will go ${span.next}.</p>`;
  }
  const from = most.map(({ row, due: own }, i) => html`${i > 0 ? ' and ' : ''}<b><${Name} text=${row.name} /></b> (${number(own.events)})`);
  return html`<p class="lead">${forecast.exact && readShare(forecast) === 1 ? '' : 'About '}<b>${count(all.events, 'event')}</b> (${bytes(all.bytes)}) of ${isPart(forecast) ? 'the ' : ''}${number(forecast.stored.events)}${isPart(forecast) ? ' that can be read now' : ''} will go ${span.next}: ${percent(all.events / forecast.stored.events)} of what is stored${most.length > 0 && html`, most of it from ${from}`}.</p>`;
};

const Notes = ({ forecast, history, shape }) => html`
  ${!forecast.exact && html`<p class="small muted">Figures of long streams are spread between what is known of them; their sums are right.</p>`}
  ${forecast.windows && html`<p class="small muted">A policy limits sweeps to windows of the day: what falls due outside of one goes in the next.</p>`}
  ${history && !history.complete && html`<p class="small muted">The audit is still being read: more may have gone than the bars show.</p>`}
  ${history && shape.start > 0 && history.preciseFrom > shape.buckets[0].from && html`<p class="small muted">Deletes before <${Time} at=${history.preciseFrom} seconds=${false} /> are kept by the hour or day, so that a bar may have those of its neighbours.</p>`}
  ${history && shape.start > 0 && history.since > shape.buckets[0].from && html`<p class="small muted">Deletes are known from <${Time} at=${history.since} seconds=${false} /> on.</p>`}`;

const Namespaces = ({ rows, unit, span }) => html`
  <${Card} title="By namespace">
    <${Table} caption=${`Namespaces in ${unit}`} rows=${rows} keyOf=${(row) => row.namespace ?? ' others'} columns=${[
      {
        head: 'Namespace',
        th: true,
        cell: (row) => html`<span><${Swatch} colour=${row.colour} />${row.namespace === null ? row.name : html`<a href=${to(['streams'], { namespace: row.namespace })}><${Name} text=${row.namespace} /></a>`}</span>`,
      },
      { head: 'Stored', num: true, cell: (row) => html`<${Amount} amount=${row.stored} unit=${unit} />` },
      { head: span.isChosen ? 'Due before' : 'Overdue', num: true, cell: (row) => html`<${Amount} amount=${plus(row.overdue, row.sooner)} unit=${unit} />` },
      { head: span.head, num: true, cell: (row) => html`<b><${Amount} amount=${sum(row.due)} unit=${unit} /></b>` },
      { head: 'Later', num: true, cell: (row) => html`<${Amount} amount=${row.later} unit=${unit} />` },
      { head: 'No due time', num: true, cell: (row) => html`<${Amount} amount=${row.never} unit=${unit} />` },
    ]} />
  </${Card}>`;

/** Stretches that people ask for, by the clock on the page. */
const PICKS = [
  ['Yesterday', -1, 0],
  ['Today', 0, 1],
  ['Tomorrow', 1, 2],
  ['Next 7 days', 1, 8],
];

const iso = (ms) => (ms ? new Date(ms).toISOString() : '');

/** The stretch that is chosen, in fields; what is dragged over in the plot stands there as well. */
const Stretch = ({ shown, picked, choose }) => {
  const { from, to: end } = picked || shown;
  const [wish, setWish] = useState({ from: iso(from), to: iso(end) });
  useEffect(() => setWish({ from: iso(from), to: iso(end) }), [from, end]);
  const first = new Date(wish.from).getTime();
  const last = new Date(wish.to).getTime();
  const isFit = first < last;
  const submit = (event) => {
    event.preventDefault();
    if (isFit) {
      choose(first, last);
    }
  };
  return html`<form class="filters" aria-label="Time that is shown" onSubmit=${submit}>
    <${Moment} label="From" value=${wish.from} onInput=${(text) => setWish((all) => ({ ...all, from: text }))} />
    <${Moment} label="To" value=${wish.to} onInput=${(text) => setWish((all) => ({ ...all, to: text }))} />
    <button disabled=${!isFit}>Show this time</button>
    <div class="choice" role="group" aria-label="Days">${PICKS.map(([name, days, until]) => {
      const begin = dayFrom(Date.now(), days);
      const stop = dayFrom(Date.now(), until);
      return html`<button key=${name} type="button" aria-pressed=${String(shown.from === begin && shown.to === stop)} onClick=${() => choose(begin, stop)}>${name}</button>`;
    })}</div>
  </form>`;
};

const Nothing = () => html`
  <${Card} label="Nothing is stored"><${Empty} title="The tide is out: nothing is stored">
    <p>Send a first event, and see here when it will go:</p>
    <pre>echo '{"stream":"orders/eu-1","id":"o-1","type":"order"}' | ebb produce -f -</pre>
    <p>Then say on <a href=${to(['policies'])}>Policies</a> how long such events live.</p>
  </${Empty}></${Card}>`;

const Shown = ({ forecast, history, hasFuture, span, unit, picked, pick, choose, loading }) => {
  const rows = useMemo(() => namespaces(forecast), [forecast]);
  // Where nothing went, the future has the whole width; a chosen time is shown as it is.
  const past = history && (span.isChosen || history.deleted.events > 0) ? history : null;
  const shape = useMemo(() => {
    const all = bars(forecast, past, rows, unit);
    return hasFuture ? all : { buckets: past?.buckets || [], start: past?.buckets.length || 0, layers: all.layers.filter((layer) => layer.isPast).map((layer) => ({ ...layer, values: layer.values.slice(0, past.buckets.length) })) };
  }, [forecast, past, rows, unit, hasFuture]);
  if (forecast.stored.events === 0 && !history?.deleted.events && forecast.partitionsMissing === 0 && !span.isChosen) {
    return html`<${Nothing} />`;
  }
  // Where no partition could be looked at, a figure of 0 would be no figure.
  const isUnknown = forecast.stored.events === 0 && forecast.partitionsMissing > 0;
  // Bars move on with time; a selection stays with the times that it was made for.
  const chosen = picked && within(shape.buckets, picked);
  const isAll = chosen && chosen[0] === 0 && chosen[1] === shape.buckets.length - 1;
  const select = (found) => pick(found && { from: shape.buckets[found[0]].from, to: shape.buckets[found[1]].to });
  const shown = shape.buckets.length > 0 ? { from: shape.buckets[0].from, to: shape.buckets[shape.buckets.length - 1].to } : { from: span.past, to: span.to };
  return html`
    <${Unanswered} of=${forecast.unanswered} />
    ${forecast.partitionsMissing > 0 && !forecast.unanswered?.length && html`<div class="note warned" role="status"><strong>${count(forecast.partitionsMissing, 'partition')} could not be looked at</strong><span>The events there are in no figure. They are being moved or restored; <a href=${to(['map'])}>Status</a> shows how far that is.</span></div>`}
    ${isUnknown
      ? html`<p class="lead">What is stored, and when it goes, is not known yet.</p>`
      : html`${!hasFuture ? html`<${Gone} history=${history} span=${span} />` : html`<${Reading} forecast=${forecast} /><${Sentence} forecast=${forecast} rows=${rows} span=${span} />`}`}
    <${Card} label="Plot of deletes">
      ${shape.buckets.length > 0 &&
      html`<div class=${loading ? 'loading' : hasFuture && readShare(forecast) < ENOUGH ? 'guess' : ''}>
        <${StackPlot} buckets=${shape.buckets} layers=${shape.layers} unit=${unit} now=${forecast.at} start=${shape.start} selected=${isAll ? null : chosen} onSelect=${select}
          label=${`Bars of ${unit}: what went, by cause, and what falls due, by namespace.`}
          say=${(found) => html`<${Readout} shape=${shape} chosen=${found} unit=${unit} hint=${HINT} />`} />
      </div>`}
      <${Stretch} shown=${shown} picked=${picked} choose=${choose} />
      <${Notes} forecast=${forecast} history=${history} shape=${shape} />
      <${Numbers} shape=${shape} unit=${unit} />
    </${Card}>
    ${picked && html`<${Behind} from=${picked.from} to=${picked.to} now=${forecast.at} onClose=${() => pick(null)} />`}
    ${!isUnknown && hasFuture && html`<${Namespaces} rows=${eachNamespace(forecast, rows)} unit=${unit} span=${span} />`}
    ${!picked && !isUnknown && hasFuture && html`<${Ahead} from=${forecast.buckets[0].from} to=${shown.to} next=${span.isChosen ? 'this time' : RANGES[span.range].next} />`}`;
};

const stretchOf = (from, end) => (from && end && Number(from) < Number(end) ? { from: Number(from), to: Number(end) } : null);

export const Tide = ({ place }) => {
  const range = rangeOf(place.query.range);
  const unit = place.query.unit === 'bytes' ? 'bytes' : 'events';
  const { from, to: end, start, stop } = place.query;
  const picked = useMemo(() => stretchOf(from, end), [from, end]);
  const pick = (chosen) => refine(chosen || { from: '', to: '' });
  const choose = (first, last) => refine({ start: first, stop: last, from: first, to: last });
  const own = stretchOf(start, stop);
  const span = own ? between(own.from, own.to) : { ...aheadOf(range), range };
  const live = useLive(load(() => (own ? between(own.from, own.to) : aheadOf(range))), [range, start, stop]);
  const actions = html`
    <${Choice} label="Time that is shown" value=${own ? null : range} of=${Object.entries(RANGES).map(([key, { name }]) => [key, name])} onChange=${(key) => refine({ range: key, from: '', to: '', start: '', stop: '' })} />
    <${Choice} label="Unit" value=${unit} of=${[['events', 'Events'], ['bytes', 'Bytes']]} onChange=${(key) => refine({ unit: key })} />`;
  return html`
    <${Title} name="Tide" actions=${actions}>What went, what is stored, and what goes when.</${Title}>
    <${Live} of=${live}>${({ forecast, history, hasFuture }) => html`<${Shown} forecast=${forecast} history=${history} hasFuture=${hasFuture} span=${span} unit=${unit} picked=${picked} pick=${pick} choose=${choose} loading=${live.loading} />`}</${Live}>`;
};
