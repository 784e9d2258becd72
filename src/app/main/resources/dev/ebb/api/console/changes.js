// Changes of one policy: who, when and why, what each of them deleted, and the way back.
import { html, useState } from './ui.js';
import { get, may } from './rest.js';
import { searchOn, usePages } from './live.js';
import { to } from './router.js';
import { Card, Fault, Live, More, Name, Time } from './parts.js';
import { summary } from './scopes.js';
import { undo, undoOf } from './undo.js';
import { action } from './words.js';

export const Changes = ({ scope, version }) => {
  const [problem, setProblem] = useState(null);
  const load = async (after, signal) => {
    const page = await get('/v1/audit', { policy: scope, action: 'CHANGE', limit: 20, after }, signal);
    return { rows: page.audit, next: page.next };
  };
  const live = usePages((after, signal) => searchOn((next) => load(next, signal), after, 1), [scope, version], (row) => row.auditId, 15000);
  return html`
    <${Card} title="Who changed it">
      <${Fault} problem=${problem} />
      <${Live} of=${live} quiet>${(page) => html`
        ${page.rows.length === 0
          ? html`<p class="muted">${page.next ? 'No change in the newest part of the audit.' : 'The audit knows no change of it.'}</p>`
          : html`<ul class="changes">${page.rows.map((row) => html`<li key=${row.auditId}>
              <span><b>${action(row.action)}, version ${row.policyVersion}</b>${row.policy ? html` <span class="muted">${summary(row.policy)}</span>` : ''}</span>
              <span>${row.actor ? html`By <b><${Name} text=${row.actor} /></b>` : 'Without a name'}, <a href=${to(['audit'], { policy: scope, record: row.auditId })}><${Time} at=${row.at} /></a>${row.reason ? html`: <${Name} text=${row.reason} />` : ''}</span>
              <span class="actions">
                ${row.action === 'POLICY_SET' && html`<a class="button" href=${to(['audit'], { policy: `${scope}@${row.policyVersion}` })}>What it deleted</a>`}
                ${may('POST /v1/undo') && undoOf(row) && html`<button type="button" onClick=${() => undo(undoOf(row), setProblem)} aria-label=${`Undo version ${row.policyVersion}`}>Undo …</button>`}
              </span>
            </li>`)}</ul>`}
        <${More} of=${live} text="Search further back" />`}</${Live}>
    </${Card}>`;
};
