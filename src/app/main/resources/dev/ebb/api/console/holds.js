// Holds: which matters keep what from deletion.
import { html, useMemo, useState } from './ui.js';
import { ask, get, may, path } from './rest.js';
import { useLive } from './live.js';
import { to } from './router.js';
import { count, number, percent, plain } from './format.js';
import { Card, Empty, Field, Live, Name, Table, Time, Title, Unanswered } from './parts.js';
import { question, tell } from './dialogs.js';
import { once } from './commands.js';
import { nameOf, namespaceOf } from './scopes.js';
import { readShare } from './tides.js';
import { scope as scopeText } from './words.js';

/** Number of events of a stream; null if it is not known. */
const eventsOf = async (stream, signal) => {
  try {
    return (await get(path`/v1/streams/${stream}`, {}, signal)).usage.events;
  } catch (problem) {
    return problem.status === 404 ? 0 : null;
  }
};

const load = async (signal) => {
  const [all, spaces] = await Promise.all([get('/v1/holds', {}, signal), get('/v1/namespaces', {}, signal)]);
  const held = await Promise.all(
    all.holds.map(async (hold) => {
      if (hold.covers.startsWith('stream:')) {
        return { ...hold, events: await eventsOf(nameOf(hold.covers), signal) };
      }
      const inside = spaces.namespaces.filter((one) => hold.covers === '*' || hold.covers === `namespace:${one.namespace}`);
      return { ...hold, events: inside.reduce((n, one) => n + one.events, 0), isAtLeast: spaces.unanswered?.length > 0 || inside.some((one) => one.exact === false) };
    }),
  );
  return { holds: held, unanswered: spaces.unanswered };
};

const HoldForm = ({ wish, isFixed }) => {
  const [fields, setFields] = useState({ ...wish });
  const set = (name) => (text) => {
    wish[name] = text;
    setFields({ ...wish });
  };
  return html`
    <${Field} label="Case" hint="The name of the matter, for example case-2026-17." value=${fields.case} onInput=${set('case')} required />
    ${isFixed
      ? html`<p>It covers <b><${Name} text=${scopeText(wish.covers)} /></b>: nothing of it is deleted, by whatever means, until the hold is released.</p>`
      : html`<${Field} label="Covers" hint="stream:NAME, namespace:NAME or * for all." value=${fields.covers} onInput=${set('covers')} required />`}
    ${!isFixed && html`<label class="check"><input type="checkbox" checked=${fields.anyway} onChange=${(e) => set('anyway')(e.target.checked)} /> Place it even if it covers no stream now</label>`}`;
};

/** Asks for a hold; with a scope for one on that. */
export const placeHold = (covers) => {
  const wish = { case: '', anyway: false, covers: covers || 'namespace:' };
  question({
    title: 'Place a hold?',
    body: html`<${HoldForm} wish=${wish} isFixed=${covers !== undefined} />`,
    verb: 'Place the hold',
    action: ({ reason, actor }) => ask('PUT', path`/v1/holds/${wish.case.trim()}`, { query: { anyway: wish.anyway }, body: { covers: wish.covers.trim(), reason, ...(actor ? { placedBy: actor } : {}) } }),
    done: (answer, by) => `${answer.inForce ? 'In force' : 'Sent'}: hold ${plain(wish.case)}${by ? `, placed by ${plain(by)}` : ''}.`,
  });
};

/** Events of an instance that is away are not counted. */
const atLeast = (hold) => (hold.isAtLeast ? 'at least ' : '');

const DAY = 864e5;

/** What falls due once the hold is released: at once, and within seven days; beside other holds that stay. */
const dueWithout = async (hold) => {
  const from = Math.floor(Date.now() / 6e4) * 6e4;
  const asked = { from, to: from + 7 * DAY, step: '7d', namespace: namespaceOf(hold.covers) };
  const [before, after] = await Promise.all([get('/v1/forecast', asked), get('/v1/forecast', { ...asked, released: hold.case })]);
  const rows = ({ namespaces: named, others }) => [...named, ...(others ? [others] : [])];
  const add = (forecast, of) => rows(forecast).reduce((n, row) => n + of(row), 0);
  const more = (of) => Math.max(0, add(after, of) - add(before, of));
  return {
    atOnce: more((row) => row.overdue.events + row.sooner.events),
    inWeek: more((row) => row.due.reduce((n, one) => n + one.events, 0)),
    isExact: after.exact && readShare(after) === 1,
    share: readShare(after),
  };
};

const Outlook = ({ hold, due }) => html`
  <p>It keeps <b>${hold.events === null ? 'an unknown number of' : `${atLeast(hold)}${number(hold.events)}`}</b> events of <b><${Name} text=${scopeText(hold.covers)} /></b>. Once it is released their policies decide again; what is due goes with the next sweep, unless that is more than the brake lets go.</p>
  ${due
    ? html`<p class="lead">${due.atOnce === 0 ? html`<b>Nothing</b> falls` : html`${due.isExact ? '' : 'About '}<b>${count(due.atOnce, 'event')}</b> fall${due.atOnce === 1 ? 's' : ''}`} due at once, and ${due.inWeek === 0 ? 'nothing' : `${due.isExact ? '' : 'about '}${number(due.inWeek)}`} more within 7 days.</p>
        ${due.share < 1 && html`<p class="small muted">The due times of ${percent(due.share)} of the events have been read so far; the figures of the others are guesses.</p>`}`
    : html`<p class="warned">How many fall due is not known now.</p>`}`;

const release = (hold) =>
  once(`release ${hold.case}`, async () => {
    tell('Counting what falls due …');
    const due = await dueWithout(hold).catch(() => null);
    question({
      title: html`Release the hold <${Name} text=${hold.case} />?`,
      body: html`<${Outlook} hold=${hold} due=${due} />`,
      verb: 'Release',
      danger: true,
      action: ({ reason, actor }) => ask('DELETE', path`/v1/holds/${hold.case}`, { query: { reason, actor } }),
      done: (answer, by) => (answer.waiting?.length ? html`<div class="note warned"><strong>Held back by the brake</strong><span><${Name} text=${answer.waiting[0].why} />. It waits on <a href=${to(['policies'])}>Policies</a>.</span></div>` : `Released: hold ${plain(hold.case)}${by ? `, by ${plain(by)}` : ''}.`),
    });
  });

const link = (covers) => (covers.startsWith('stream:') ? to(['streams', nameOf(covers)]) : covers.startsWith('namespace:') ? to(['streams'], { namespace: nameOf(covers) }) : to(['streams']));

export const Holds = () => {
  const live = useLive(load, []);
  const mayPlace = may('PUT /v1/holds/{case}');
  const columns = useMemo(
    () => [
      { head: 'Case', th: true, cell: (row) => html`<${Name} text=${row.case} />` },
      { head: 'Covers', cell: (row) => html`<a href=${link(row.covers)}><${Name} text=${scopeText(row.covers)} /></a>` },
      { head: 'Events', num: true, cell: (row) => (row.events === null ? 'not known' : `${atLeast(row)}${number(row.events)}`) },
      { head: 'Reason', cell: (row) => html`<${Name} text=${row.reason} />` },
      { head: 'By', cell: (row) => html`<${Name} text=${row.placedBy} />` },
      { head: 'Since', cell: (row) => html`<${Time} at=${row.placedAt} />` },
      ...(may('DELETE /v1/holds/{case}') ? [{ head: '', end: true, cell: (row) => html`<button type="button" class="plain danger" onClick=${() => release(row)} aria-label=${`Release ${plain(row.case)}`}>Release …</button>` }] : []),
    ],
    [],
  );
  return html`
    <${Title} name="Holds" actions=${mayPlace && html`<button type="button" class="main" onClick=${() => placeHold()}>Place a hold …</button>`}>Nothing deletes what a hold covers, and no command does, until the hold is released.</${Title}>
    <${Live} of=${live}>${({ holds, unanswered }) => html`
      <${Unanswered} of=${unanswered} />
      <${Card} label="Holds">
        ${holds.length === 0
          ? html`<${Empty} title="No hold is in force"><p>${mayPlace ? 'Place one when a matter asks for data to be kept, whatever its policy says.' : 'An admin can place one when a matter asks for data to be kept.'}</p></${Empty}>`
          : html`<${Table} caption="Holds in force" rows=${holds} keyOf=${(row) => row.case} columns=${columns} />`}
      </${Card}>`}</${Live}>`;
};
