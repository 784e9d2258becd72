// Changes of policies that the brake holds back.
import { html } from './ui.js';
import { ask, get, may, path } from './rest.js';
import { count, number, plain } from './format.js';
import { Card, Name, Time } from './parts.js';
import { question } from './dialogs.js';
import { scope as scopeText } from './words.js';

const holdOf = (key) => (key.startsWith('hold:') ? key.slice('hold:'.length) : null);

/** Settings are withdrawn in the configuration, and a wrong clock is put right: there is no record to take back. */
const hasRecord = (key) => key !== 'settings' && key !== 'clock';

const size = (one) =>
  one.wouldDelete === null ? 'It is not known yet what it would delete.' : `It would delete ${one.atLeast ? 'at least ' : ''}${count(one.wouldDelete, 'event')}${one.stored === null ? '' : ` of ${number(one.stored)}`} at once or soon.`;

const confirm = (one, together) =>
  question({
    title: html`Let the change of <${Name} text=${scopeText(one.key)} /> through?`,
    body: html`<p>${size(one)}${one.wouldDelete === null ? html` <${Name} text=${one.why} />` : ' It was held back, for this is more than the brake lets go.'}</p>`,
    verb: 'Confirm',
    danger: true,
    action: ({ reason, actor }) => ask('POST', '/v1/policies/confirm', { query: { key: one.key, version: one.version, wouldDelete: one.wouldDelete === null || one.atLeast ? undefined : one.wouldDelete, records: together, reason, actor } }),
    done: (answer, by) => `${answer.inForce ? 'In force' : 'Confirmed'}: version ${one.version} of ${plain(scopeText(one.key))}${by ? `, by ${plain(by)}` : ''}.`,
  });

/** What is in force under that key now, and not when the screen was drawn; null if nothing is. */
const inForceNow = async (key) => {
  const hold = holdOf(key);
  try {
    if (hold !== null) {
      return await get(path`/v1/holds/${hold}`);
    }
    const record = await get(path`/v1/policies/${key}`);
    return record.builtIn ? null : record.policy;
  } catch (problem) {
    if (problem.status === 404) {
      return null;
    }
    throw problem;
  }
};

/**
 * Takes a change back. What is in force is sent once more, which takes the place of what waits: a delete would remove the
 * policy, or release the hold. Only where nothing is in force a delete withdraws.
 */
const takeBack = async (key, { reason, actor }) => {
  const hold = holdOf(key);
  const inForce = await inForceNow(key);
  if (hold !== null) {
    const { covers, reason: why, placedAt } = inForce || {};
    // The reason of the hold stays, for it says what the hold is for.
    const body = { covers, placedAt, reason: why ? `${why}; a change withdrawn: ${reason}` : reason, ...(actor ? { placedBy: actor } : {}) };
    return inForce ? ask('PUT', path`/v1/holds/${hold}`, { body }) : ask('DELETE', path`/v1/holds/${hold}`, { query: { reason, actor } });
  }
  return inForce
    ? ask('PUT', path`/v1/policies/${key}`, { body: { ...inForce, reason, ...(actor ? { updatedBy: actor } : {}) } })
    : ask('DELETE', path`/v1/policies/${key}`, { query: { reason, actor } });
};

/** Outcome of a withdrawal, as the server has seen it. */
const takenBack = (one, answer, by) => {
  const still = answer.waiting?.[0];
  if (still) {
    return html`<div class="note warned"><strong>A change still waits</strong><span>Version ${still.version} of <${Name} text=${scopeText(one.key)} />: <${Name} text=${still.why} /></span></div>`;
  }
  if (!answer.withdrawn?.includes(one.key)) {
    return html`<div class="note warned"><strong>Sent, but not seen withdrawn yet</strong><span>If version ${one.version} of <${Name} text=${scopeText(one.key)} /> was confirmed meanwhile, it is in force; Policies and Holds show what is.</span></div>`;
  }
  return `Withdrawn: version ${one.version} of ${plain(scopeText(one.key))}${by ? `, by ${plain(by)}` : ''}.`;
};

const withdraw = (one, records) => {
  const stays = holdOf(one.key) !== null ? 'The hold stays as it is, or is not placed.' : records.some((record) => record.scope === one.key && !record.builtIn) ? 'The policy in force stays as it is.' : 'Nothing of it comes into force.';
  question({
    title: html`Withdraw the change of <${Name} text=${scopeText(one.key)} />?`,
    body: html`<p>${size(one)} ${stays}</p>`,
    verb: 'Withdraw',
    action: (by) => takeBack(one.key, by),
    done: (answer, by) => takenBack(one, answer, by),
  });
};

export const Waiting = ({ waiting, records }) => {
  if (waiting.length === 0) {
    return null;
  }
  const mayConfirm = may('POST /v1/policies/confirm');
  return html`
    <${Card} title="Waiting for a confirmation">
      ${waiting.map((one) => html`
        <div class="note warned" key=${one.key}>
          <strong><${Name} text=${scopeText(one.key)} />, version ${one.version}</strong>
          <span>${size(one)}${one.wouldDelete === null || !hasRecord(one.key) ? html` <${Name} text=${one.why} />` : ''}</span>
          <span class="muted">${one.actor ? html`By <${Name} text=${one.actor} />, since ` : 'Since '}<${Time} at=${one.since} /></span>
          ${mayConfirm
            ? html`<span class="actions"><button type="button" class="main" onClick=${() => confirm(one, waiting.filter((other) => other.change === one.change).length)}>Confirm …</button>${hasRecord(one.key) && html`<button type="button" onClick=${() => withdraw(one, records)}>Withdraw …</button>`}</span>`
            : html`<span>An admin can confirm or withdraw it.</span>`}
        </div>`)}
    </${Card}>`;
};
