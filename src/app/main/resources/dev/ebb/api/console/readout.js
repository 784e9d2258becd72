// Bars as text: those that are chosen, and all of them.
import { html } from './ui.js';
import { bytes, number, stretch } from './format.js';
import { Name, Swatch, Table } from './parts.js';

const textOf = (unit) => (unit === 'bytes' ? bytes : (value) => number(value));
const total = (layers, first, last) =>
  layers.map((layer) => ({ ...layer, sum: layer.values.slice(first, last + 1).reduce((n, value) => n + (value || 0), 0) })).filter((layer) => layer.sum > 0);
const all = (parts) => parts.reduce((n, part) => n + part.sum, 0);

/** What the chosen bars hold; how to choose some if none are. */
export const Readout = ({ shape, chosen, unit, hint }) => {
  if (!chosen) {
    return html`<span class="muted">${hint}</span>`;
  }
  const text = textOf(unit);
  const parts = total(shape.layers, chosen[0], chosen[1]);
  const gone = all(parts.filter((part) => part.isPast));
  const due = all(parts.filter((part) => !part.isPast));
  const sums = [gone > 0 && `${text(gone)} went`, due > 0 && `${text(due)} due`].filter(Boolean).join(', ') || 'nothing';
  return html`<b>${stretch(shape.buckets[chosen[0]].from, shape.buckets[chosen[1]].to)}</b><span>${sums}</span>
    ${[...parts].reverse().map((part) => html`<span key=${part.name}><${Swatch} colour=${part.colour} /><${Name} text=${part.name} /> ${text(part.sum)}</span>`)}`;
};

/** All bars as a table. */
export const Numbers = ({ shape, unit }) => {
  const text = textOf(unit);
  const rows = shape.buckets.map((bucket, i) => ({ bucket, i })).filter(({ i }) => shape.layers.some((layer) => layer.values[i]));
  const columns = [
    { head: 'Time', th: true, cell: ({ bucket }) => html`<span class="nowrap">${stretch(bucket.from, bucket.to)}</span>` },
    ...shape.layers.map((layer) => ({
      head: layer.name,
      num: true,
      cell: ({ i }) => (layer.values[i] === null ? html`<span class="hidden">does not apply</span>` : text(layer.values[i])),
    })),
  ];
  return html`<details><summary>All bars as numbers</summary>
    ${rows.length === 0
      ? html`<p class="muted">No bar holds anything.</p>`
      : html`<${Table} caption=${`All bars in ${unit}`} stack=${false} rows=${rows} keyOf=${(row) => row.bucket.from} columns=${columns} />`}
  </details>`;
};
