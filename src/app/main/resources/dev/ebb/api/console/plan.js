// A plan of policies: what goes at once, from where, and what the brake lets go.
import { html } from './ui.js';
import { Problem, actor, ask } from './rest.js';
import { bytes, count, number, percent } from './format.js';
import { Bar, Name, Table, Time } from './parts.js';
import { cause } from './words.js';

const causes = (row) =>
  Object.entries(row.causes)
    .map(([name, amount]) => `${number(amount.events)} ${cause(name)}`)
    .join(', ');

const PATIENCE_MS = 5 * 60 * 1000;

/**
 * The plan of a file of policies, once all is counted. The dry run keeps its id, so that asking again goes on with it.
 *
 * options: { prune: as if the policies that the file does not have were removed, isWanted: asked before each further wait }
 */
export const planOf = async (file, { prune = false, isWanted = () => true } = {}) => {
  const until = Date.now() + PATIENCE_MS;
  let plan;
  do {
    if (Date.now() > until) {
      throw new Problem(0, 'Still being counted', `The plan ${plan.planId} is not done after five minutes. It changes nothing; try again later.`);
    }
    plan = await ask('POST', '/v1/policies:plan', { yaml: file, query: { prune, actor: actor.get(), commandId: plan?.planId } });
  } while (plan.state === 'RUNNING' && isWanted());
  return plan;
};

/** Puts a file in force by its plan: nothing goes that the plan does not list. */
export const applyPlan = (file, plan, { reason, actor: by }, prune = false) => ask('POST', '/v1/policies:apply', { yaml: file, query: { prune, plan: plan.planId, reason, actor: by } });

/** What the brake says to a plan, in words. */
const Brake = ({ plan }) => {
  const { brake } = plan;
  if (!brake.on) {
    return html`<p class="muted">The brake is off: nothing is held back, however much it deletes.</p>`;
  }
  const says = `The brake lets ${brake.sharePercent} % of a scope or a namespace go, and always ${number(brake.minimumEvents)} events.${brake.verdict && ` For this file: ${brake.verdict}.`}`;
  return brake.heldBack
    ? html`<div class="note warned"><strong>More than the brake lets go</strong><span>${says} Without this plan the change would wait for a confirmation; applied with this plan, nothing but what is listed goes.</span></div>`
    : html`<p class="muted">${says} It would let this through.</p>`;
};

/** The rows that `mirror: none` takes out of SQL. */
const Rows = ({ plan }) =>
  plan.wouldDelete.rows > 0 && html`<p>${count(plan.wouldDelete.rows, 'row')} would go from SQL; the events stay.</p>`;

/** The tombstones that the deletes send to topics of sources. */
const Tombstones = ({ plan }) =>
  (plan.wouldDelete.tombstones || []).map((one) => html`<p>Up to ${count(one.atMost, 'tombstone')} would go to the topic <${Name} text=${one.topic} /> of the source <${Name} text=${one.source} />.</p>`);

/** The sums of a plan. */
export const Plan = ({ plan }) => {
  if (plan.wouldDelete.events === 0) {
    return html`<p>Nothing goes at once: no stored event is due under it now.</p><${Rows} plan=${plan} /><${Brake} plan=${plan} />`;
  }
  return html`
    <p class="lead"><b>${count(plan.wouldDelete.events, 'event')}</b> (${bytes(plan.wouldDelete.bytes)}) would go with the next sweep, counting those that are due anyway: ${percent(plan.share)} of what is stored.</p>
    <${Rows} plan=${plan} />
    <${Tombstones} plan=${plan} />
    <${Brake} plan=${plan} />
    <${Table} caption="What would go, by namespace" rows=${plan.namespaces} keyOf=${(row) => row.namespace} columns=${[
      { head: 'Namespace', th: true, cell: (row) => html`<${Name} text=${row.namespace} />` },
      { head: 'Go', num: true, cell: (row) => number(row.wouldDelete.events) },
      { head: 'Of', num: true, cell: (row) => number(row.stored.events) },
      {
        head: 'Share, and the line of the brake',
        cell: (row) => html`<${Bar} share=${row.share} mark=${row.allowed === null || !row.stored.events ? null : row.allowed / row.stored.events}
          label=${`${percent(row.share)} of ${number(row.stored.events)}${row.allowed === null ? '' : `; the brake lets ${number(row.allowed)} go`}`} />`,
      },
      { head: 'Why', cell: causes },
    ]} />
    ${plan.smallerParts && html`<p class="small muted">${number(plan.smallerParts.events)} more are in namespaces too many to be named.</p>`}
    ${plan.expiresAt && html`<p class="small muted">The plan can be carried out until <${Time} at=${plan.expiresAt} seconds=${false} />.</p>`}`;
};
