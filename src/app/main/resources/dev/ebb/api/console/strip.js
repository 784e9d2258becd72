// The strip on every page: what is wrong or waits for a person, since when, and which role may act.
import { html, useEffect, useState } from './ui.js';
import { caller, get, may } from './rest.js';
import { useLive } from './live.js';
import { to } from './router.js';
import { Name, Time } from './parts.js';

// Each tab asks this all the time: what is wrong comes from all instances, and rejected records from a topic.
const EVERY_MS = 5000;
const REJECTED_EVERY_MS = 30000;
const WEEK = 7 * 864e5;
const MOST = 20;
const HIDDEN = 'ebb.rejected.seen';

const PLACES = { CHANGE_WAITS: ['policies', 'Policies'], POLICY_UNREADABLE: ['policies', 'Policies'], ROWS_REFUSED: ['verify', 'Verify'], REJECTED: ['rejected', 'Rejected'] };
const placeOf = (what) => PLACES[what] || ['map', 'Status'];

/** Why a record was rejected; the detail may quote what the caller may not see. */
const reasonOf = ({ reason, detail }) => `reason ‘${reason.toLowerCase().replaceAll('_', ' ')}’${caller().payloads ? `: ${detail}` : ''}`;

/** Rejected records of the last week, until someone has seen the newest of them. */
const rejected = async (signal) => {
  if (!may('GET /v1/rejected')) {
    return [];
  }
  const { rejected: rows, next } = await get('/v1/rejected', { from: Date.now() - WEEK, limit: MOST }, signal).catch(() => ({ rejected: [] }));
  if (rows.length === 0 || rows[0].id === localStorage.getItem(HIDDEN)) {
    return [];
  }
  const records = rows.length === 1 && !next ? '1 record was' : `${rows.length}${next ? ' or more' : ''} records were`;
  return [{ what: 'REJECTED', text: `${records} rejected in the last 7 days, the newest for the ${reasonOf(rows[0])}`, since: rows[0].rejectedAt, role: 'operator', seen: rows[0].id }];
};

const ROLES = { admin: 'An admin', operator: 'An operator' };

const mayAct = ({ what, role }) => {
  if (what === 'RESTORE') {
    return 'It goes on by itself';
  }
  return role ? `${ROLES[role] || `The role ${role}`} may act on it` : 'It takes someone who runs the instances';
};

const Concern = ({ one, again }) => {
  const [place, name] = placeOf(one.what);
  const hide = () => {
    localStorage.setItem(HIDDEN, one.seen);
    again();
  };
  return html`<li>
    <span><${Name} text=${one.text} />.</span>
    <span class="small muted">${one.since ? html`Since <${Time} at=${one.since} seconds=${false} />. ` : ''}${mayAct(one)}; see <a href=${to([place])}>${name}</a>.${one.seen ? html` <button type="button" class="plain" onClick=${hide}>Seen</button>` : ''}</span>
  </li>`;
};

export const Strip = () => {
  const wrong = useLive((signal) => get('/v1/instances', {}, signal), [], EVERY_MS, true);
  const refused = useLive(rejected, [], REJECTED_EVERY_MS, true);
  const [isOpen, setOpen] = useState(false);
  // What was done on this page may have ended a wait.
  useEffect(() => {
    const again = () => wrong.again();
    addEventListener('ebb-done', again);
    return () => removeEventListener('ebb-done', again);
  }, []);
  const all = [...(wrong.data?.concerns || []), ...(refused.data || [])];
  if (all.length === 0) {
    return null;
  }
  const shown = isOpen ? all : all.slice(0, 2);
  return html`<section class="note warned strip" aria-label="What is wrong or waits">
    <ul>${shown.map((one) => html`<${Concern} key=${one.what + one.text} one=${one} again=${refused.again} />`)}</ul>
    ${all.length > 2 && html`<button type="button" class="plain" aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>${isOpen ? 'Show less' : `and ${all.length - 2} more`}</button>`}
  </section>`;
};
