// Parts that all screens are made of. Whatever comes from data is text: no part of it becomes markup.
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from './ui.js';
import { UNSEEN, absolute, bytes, count, fromNow, number, plain, signNumber } from './format.js';
import { csv, save, sorted } from './save.js';
import { moment, times, wall } from './times.js';

// A word of this length would push all else aside, and breaks anywhere.
const LONG = /\S{30}/u;

const signs = (text) => {
  const parts = [];
  let seen = '';
  for (const sign of text) {
    if (UNSEEN.test(sign)) {
      parts.push(seen, html`<span class="control">${signNumber(sign)}</span>`);
      seen = '';
    } else {
      seen += sign;
    }
  }
  return [...parts, seen];
};

/** A name or another text of a user, as it is; signs that cannot be seen are shown by their number. */
export const Name = ({ text }) => {
  const value = String(text ?? '');
  return html`<bdi class=${LONG.test(value) ? 'name long' : 'name'}>${UNSEEN.test(value) ? signs(value) : value}</bdi>`;
};

/** A text of several lines: their ends and tabs are as they are, and what stands between is shown as a name is. */
export const Lines = ({ text }) => text.split(/(\r?\n|\t)/).map((part, i) => (i % 2 ? part : html`<${Name} text=${part} />`));

/**
 * A time in the way that the reader has chosen; the others are in its title. In a sentence, which `away` marks, it is a date
 * with the distance behind it.
 */
export const Time = ({ at, seconds = true, away = false }) => {
  if (at === null || at === undefined) {
    return html`<span class="muted">–</span>`;
  }
  const iso = new Date(at).toISOString();
  const shown = times.get() === 'relative' && !away ? fromNow(at) : absolute(at, seconds);
  return html`<time class="time" datetime=${iso} title=${`${absolute(at)}, ${iso}, ${fromNow(at)}`}>${shown}${away ? html`<span class="away">, ${fromNow(at)}</span>` : ''}</time>`;
};

export const Amount = ({ amount, unit }) => (unit === 'bytes' ? bytes(amount?.bytes) : number(amount?.events));

/** The head of a screen: its name, what it is about, and what can be done. */
export const Title = ({ name, children, actions }) => html`
  <header class="title">
    <div><h1>${name}</h1>${children && html`<p class="muted">${children}</p>`}</div>
    ${actions && html`<div class="actions">${actions}</div>`}
  </header>`;

export const Card = ({ title, actions, children, label }) => html`
  <section class="card" aria-label=${typeof (label || title) === 'string' ? plain(label || title) : undefined}>
    ${(title || actions) && html`<header><h2>${title}</h2>${actions && html`<div class="actions">${actions}</div>`}</header>`}
    ${children}
  </section>`;

/** A choice of a few values. */
export const Choice = ({ label, value, of, onChange }) => html`
  <div class="choice" role="group" aria-label=${label}>
    ${of.map(([key, text]) => html`<button key=${key} type="button" aria-pressed=${String(key === value)} onClick=${() => onChange(key)}>${text}</button>`)}
  </div>`;

/** A field with its label, hint and fault. */
export const Field = ({ label, hint, fault, type = 'text', value, onInput, options, area, placeholder, below, ...more }) => {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common = {
    id,
    value,
    placeholder: placeholder === undefined ? undefined : plain(placeholder),
    'aria-describedby': described,
    'aria-invalid': fault ? 'true' : undefined,
    onInput: (event) => onInput(event.target.value),
    ...more,
  };
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${options
        ? html`<select ...${common}>${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${plain(text)}</option>`)}</select>`
        : area
          ? html`<textarea ...${common}></textarea>`
          : html`<input type=${type} autocomplete="off" spellcheck=${false} ...${common} />`}
      ${below}
      ${hint && html`<span class="hint" id=${`${id}-hint`}><${Name} text=${hint} /></span>`}
      ${fault && html`<span class="fault" id=${`${id}-fault`}><${Name} text=${fault} /></span>`}
    </div>`;
};

const shownAt = (iso) => {
  const ms = iso ? new Date(iso).getTime() : NaN;
  return Number.isNaN(ms) ? '' : wall(ms).toISOString().slice(0, 19);
};

/** A moment by the clock on the page; told as ISO-8601 in UTC, or as an empty text. */
export const Moment = ({ label, value, onInput }) =>
  html`<${Field} label=${times.get() === 'utc' ? `${label} (UTC)` : label} type="datetime-local" step="1" value=${shownAt(value)} onInput=${(text) => onInput(text ? new Date(moment(new Date(`${text}Z`))).toISOString() : '')} />`;

/**
 * A table; a column has `head`, `cell(row)`, and maybe `num`, `end` or `th`. On a phone its rows become small cards. Rows can be put in
 * the order of a column that has a `text(row)`. With `saved`, the name of a file, the rows that are shown can be saved as CSV.
 */
export const Table = ({ caption, columns, rows, keyOf, saved, stack = true }) => {
  const [order, setOrder] = useState({ head: null, isDown: false });
  const ordered = sorted(rows, columns.find((column) => column.head === order.head), order.isDown);
  const turn = (head) => setOrder(order.head !== head ? { head, isDown: false } : order.isDown ? { head: null, isDown: false } : { head, isDown: true });
  const direction = (column) => (column.text ? (order.head !== column.head ? 'none' : order.isDown ? 'descending' : 'ascending') : undefined);
  const head = (column) =>
    column.text
      ? html`<button type="button" class="sort" onClick=${() => turn(column.head)}><${Name} text=${column.head} /><span aria-hidden="true">${order.head !== column.head ? '' : order.isDown ? ' ▾' : ' ▴'}</span></button>`
      : column.head ? html`<${Name} text=${column.head} />` : html`<span class="hidden">Actions</span>`;
  const box = useRef(null);
  // Only a table that can be scrolled is a stop of the Tab key, from its first moment on. Its width changes with the window, and with cells that draw themselves anew.
  const mark = () => {
    if (box.current.scrollWidth > box.current.clientWidth) {
      box.current.setAttribute('tabindex', '0');
    } else {
      box.current.removeAttribute('tabindex');
    }
  };
  useLayoutEffect(mark);
  useLayoutEffect(() => {
    const room = new ResizeObserver(mark);
    room.observe(box.current);
    room.observe(box.current.querySelector('table'));
    return () => room.disconnect();
  }, []);
  const cell = (row, column) => {
    const Tag = column.th ? 'th' : 'td';
    return html`<${Tag} key=${column.head} scope=${column.th ? 'row' : undefined} data-head=${plain(column.head)} class=${column.num ? 'num' : column.end ? 'end' : ''}>${column.cell(row)}</${Tag}>`;
  };
  return html`
    <div class="table" role="region" aria-label=${plain(caption)} ref=${box}>
      <table class=${stack ? 'stack' : ''}>
        <caption class="hidden"><${Name} text=${caption} /></caption>
        <thead><tr>${columns.map((column) => html`<th key=${column.head} scope="col" aria-sort=${direction(column)} class=${column.num ? 'num' : ''}>${head(column)}</th>`)}</tr></thead>
        <tbody>${ordered.map((row, i) => html`<tr key=${keyOf ? keyOf(row) : i}>${columns.map((column) => cell(row, column))}</tr>`)}</tbody>
      </table>
    </div>
    ${saved && html`<p class="small"><button type="button" class="plain" onClick=${() => save(`${saved}.csv`, 'text/csv', csv(columns, ordered))}>Save these rows as CSV</button></p>`}`;
};

/** Nothing is there: says so, and what to do next. */
export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

/** A request that failed: what is wrong, and what to do. */
export const Fault = ({ problem, again, stale }) =>
  problem
    ? html`
      <div class=${`note ${stale ? 'warned' : 'bad'}`} role=${stale ? 'status' : 'alert'}>
        <strong>${stale ? `${problem.title || 'No answer'}: what you see may be old` : problem.title || 'This did not work'}</strong>
        <span><${Name} text=${problem.message} /></span>
        ${problem.problems?.map((one) => html`<span><b><${Name} text=${one.where} /></b> <${Name} text=${one.message} /></span>`)}
        ${again && html`<span><button type="button" onClick=${again}>Try again</button></span>`}
      </div>`
    : null;

/** What a live answer shows: a fault, a wait, or its content; a quiet one leaves it to its screen to say that it is old. */
export const Live = ({ of, quiet, children }) => {
  if (of.data === null) {
    return of.problem ? html`<${Fault} problem=${of.problem} again=${of.again} />` : html`<p class="muted" role="status">Loading …</p>`;
  }
  return html`${of.problem && !quiet && html`<${Fault} problem=${of.problem} stale again=${of.again} />`}${children(of.data)}`;
};

export const Bar = ({ share, mark, label }) => {
  const fill = useRef(null);
  const line = useRef(null);
  const cut = (value) => `${Math.max(0, Math.min(1, value)) * 100}%`;
  useEffect(() => {
    fill.current.style.width = cut(share);
    if (line.current) {
      line.current.style.left = cut(mark);
    }
  }, [share, mark]);
  return html`<div class="bar" role="img" aria-label=${label}><div class="bar-fill" ref=${fill}></div>${mark !== undefined && mark !== null && html`<div class="bar-mark" ref=${line}></div>`}</div>`;
};

/** A coloured square, by the name of its colour. */
export const Swatch = ({ colour }) => {
  const square = useRef(null);
  useEffect(() => {
    square.current.style.background = `var(${colour})`;
  }, [colour]);
  return html`<span class="swatch" ref=${square} aria-hidden="true"></span>`;
};

/** The end of a list that is read page by page: more of it, or back to its beginning. */
export const More = ({ of, text = 'Show more' }) =>
  of.data?.next || of.newest
    ? html`<div class="actions">
        ${of.data.next && html`<button type="button" disabled=${of.busy} onClick=${of.more}>${of.busy ? 'Reading …' : text}</button>`}
        ${of.newest && html`<button type="button" class="plain" onClick=${of.newest}>Back to the beginning</button>`}
        <span class="small muted">${count(of.data.rows.length, 'row')} shown${of.data.next ? '' : ', this is all'}.</span>
      </div>
      <${Fault} problem=${of.moreProblem} />`
    : null;

export const Unanswered = ({ of }) =>
  of?.length
    ? html`<div class="note warned" role="status"><strong>${of.length === 1 ? 'An instance does' : `${of.length} instances do`} not answer</strong>
        <span>What ${of.length === 1 ? 'it keeps' : 'they keep'} is missing here: ${of.map((one, i) => html`${i > 0 ? ', ' : ''}<${Name} text=${one.instance || one.address} />`)}. It comes back by itself once ${of.length === 1 ? 'the instance answers' : 'they answer'}, or once others have taken over.</span></div>`
    : null;
