// Changes of policies that the brake holds back.
import { html } from './ui.js';
import { ask, may, path } from './rest.js';
import { count, number } from './format.js';
import { Card, Name, Time } from './parts.js';
import { question } from './dialogs.js';
import { scope as scopeText } from './words.js';

const holdOf = (key) => (key.startsWith('hold:') ? key.slice('hold:'.length) : null);

const size = (one) =>
  one.wouldDelete === null ? 'It is not known yet what it would delete.' : `It would delete ${one.atLeast ? 'at least ' : ''}${count(one.wouldDelete, 'event')} at once${one.stored === null ? '' : ` of ${number(one.stored)}`}.`;

const confirm = (one) =>
  question({
    title: `Let the change of ${scopeText(one.key)} through?`,
    body: html`<p>${size(one)} <${Name} text=${one.why} /></p>`,
    verb: 'Confirm',
    danger: true,
    action: ({ reason, actor }) => ask('POST', '/v1/policies/confirm', { query: { key: one.key, version: one.version, reason, actor } }),
    done: (answer, by) => `${answer.inForce ? 'In force' : 'Confirmed'}: version ${one.version} of ${scopeText(one.key)}${by ? `, by ${by}` : ''}.`,
  });

/** A policy in force is sent once more, which takes the place of what waits; one that only waits is taken back. */
const withdraw = (one, records) => {
  const inForce = records.find((record) => record.scope === one.key && !record.builtIn);
  const hold = holdOf(one.key);
  question({
    title: `Withdraw the change of ${scopeText(one.key)}?`,
    body: html`<p>${size(one)} ${inForce ? 'The policy in force stays as it is.' : 'Nothing of it comes into force.'}</p>`,
    verb: 'Withdraw',
    action: ({ reason, actor }) =>
      hold !== null
        ? ask('DELETE', path`/v1/holds/${hold}`, { query: { reason, actor } })
        : inForce
          ? ask('PUT', path`/v1/policies/${one.key}`, { body: { ...inForce.policy, reason, ...(actor ? { updatedBy: actor } : {}) } })
          : ask('DELETE', path`/v1/policies/${one.key}`, { query: { reason, actor } }),
    done: (answer, by) => `Withdrawn: version ${one.version} of ${scopeText(one.key)}${by ? `, by ${by}` : ''}.`,
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
          <span>${size(one)} <${Name} text=${one.why} /></span>
          <span class="muted">${one.actor ? html`By <${Name} text=${one.actor} />, since ` : 'Since '}<${Time} at=${one.since} /></span>
          ${mayConfirm
            ? html`<span class="actions"><button type="button" class="main" onClick=${() => confirm(one)}>Confirm …</button><button type="button" onClick=${() => withdraw(one, records)}>Withdraw …</button></span>`
            : html`<span>An admin can confirm or withdraw it.</span>`}
        </div>`)}
    </${Card}>`;
};
