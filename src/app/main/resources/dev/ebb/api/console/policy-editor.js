// The editor of a policy: the server says while one types what is wrong and what would change.
import { html, useEffect, useMemo, useState } from './ui.js';
import { ask, get, path } from './rest.js';
import { useLive } from './live.js';
import { plain } from './format.js';
import { Fault, Field, Name, Table } from './parts.js';
import { once } from './commands.js';
import { question, tell } from './dialogs.js';
import { Plan, applyPlan, planOf } from './plan.js';
import { effective } from './scopes.js';
import { faultsOf, fileOf, ownFields, valueOf } from './policy-file.js';
import { FIELDS, scope as scopeText } from './words.js';

const NAMES = FIELDS.map(([name]) => name);
const PATIENCE_MS = 250;

/** What the server says to the file, a moment after the last change of it. */
const useCheck = (file) => {
  const [state, setState] = useState({ comparison: null, problem: null, busy: true });
  useEffect(() => {
    const control = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    const timer = setTimeout(async () => {
      try {
        const comparison = await ask('POST', '/v1/policies/diff', { yaml: file, signal: control.signal });
        setState({ comparison, problem: null, busy: false });
      } catch (problem) {
        if (!control.signal.aborted) {
          setState({ comparison: null, problem, busy: false });
        }
      }
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [file]);
  return state;
};

const shown = (value) => (value === null || value === undefined ? html`<span class="muted">inherited</span>` : html`<${Name} text=${value} />`);

const Difference = ({ fields }) => html`
  <${Table} caption="What would change" rows=${fields} keyOf=${(row) => row.field} columns=${[
    { head: 'Field', th: true, cell: (row) => row.field },
    { head: 'In force', cell: (row) => shown(row.inForce) },
    { head: 'Then', cell: (row) => html`<b>${shown(row.inFile)}</b>` },
  ]} />`;

/** What a change of policies came to, in words. */
const outcome = (answer, scope, by) => {
  const held = answer.waiting?.[0];
  const who = by ? `, by ${plain(by)}` : '';
  if (held) {
    return html`<div class="note warned"><strong>Held back by the brake</strong><span>Version ${held.version} of <${Name} text=${scopeText(scope)} />${who}: <${Name} text=${held.why} />. It waits on top of this screen until an admin confirms it.</span></div>`;
  }
  return `${answer.inForce ? 'In force' : 'Sent'}: ${plain(scopeText(scope))}, version ${answer.version}${who}.`;
};

/**
 * What a file would do; a plan that cannot be made is no reason to give up, since the brake stands behind it. A file of all
 * policies is made again once it is planned: another one may have come in between, and the plan stands for those it has seen.
 */
const tryPlan = async (fileOfChange, prune) => {
  tell('Counting what would go …');
  try {
    let file = await fileOfChange();
    let plan = await planOf(file, { prune });
    for (let now = await fileOfChange(); now !== file; now = await fileOfChange()) {
      file = now;
      plan = await planOf(file, { prune });
    }
    return { file, plan, failed: null };
  } catch (failed) {
    return { file: null, plan: null, failed };
  }
};

const Unplanned = ({ failed }) => html`<${Fault} problem=${failed} />
  <p class="warned">It is not known what this would delete. More than the brake lets go waits for a confirmation in any case.</p>`;

/** Asks with the plan of the file, and confirms that plan; without one the change itself is sent, and the brake looks at it. */
const confirm = ({ scope, file, prune, plan, failed, fields, send, onClose, ...more }) =>
  question({
    ...more,
    body: html`<${Difference} fields=${fields} />${plan ? html`<${Plan} plan=${plan} />` : html`<${Unplanned} failed=${failed} />`}`,
    danger: !plan || plan.wouldDelete.events > 0,
    check: plan ? undefined : 'Do it without a plan',
    action: async (by) => {
      const answer = plan ? await applyPlan(file, plan, by, prune) : await send(by);
      onClose();
      return answer;
    },
    done: (answer, by) => outcome(answer, scope, by),
  });

const save = (scope, policy, file, fields, onClose) =>
  once(`save ${scope}`, async () =>
    confirm({
      ...(await tryPlan(() => file, false)),
      scope,
      fields,
      onClose,
      title: html`Put the policy of <${Name} text=${scopeText(scope)} /> in force?`,
      verb: 'Put in force',
      send: ({ reason, actor: by }) => ask('PUT', path`/v1/policies/${scope}`, { body: { ...policy, reason, ...(by ? { updatedBy: by } : {}) } }),
    }),
  );

/** A file of all policies but one: put in force as a whole, it removes that one. */
const without = async (scope) => {
  const { policies } = await get('/v1/policies/export');
  // In lines, since a file has none of any length.
  return JSON.stringify({ policies: policies.filter((one) => one.scope !== scope) }, null, 1);
};

/** Asks before a policy is removed. */
export const remove = (record) =>
  once(`remove ${record.scope}`, async () =>
    confirm({
      ...(await tryPlan(() => without(record.scope), true)),
      scope: record.scope,
      prune: true,
      fields: Object.entries(ownFields(record.policy)).map(([field, value]) => ({ field, inForce: value, inFile: null })),
      onClose: () => {},
      title: html`Remove the policy of <${Name} text=${scopeText(record.scope)} />?`,
      verb: 'Remove',
      send: ({ reason, actor: by }) => ask('DELETE', path`/v1/policies/${record.scope}`, { query: { reason, actor: by } }),
    }),
  );

export const Editor = ({ scope, record, records, onClose }) => {
  const own = ownFields(record?.policy);
  const [wish, setWish] = useState(() => Object.fromEntries(NAMES.map((name) => [name, own[name] === undefined ? '' : String(own[name])])));
  const inForce = useLive((signal) => effective(scope, records, signal), [scope], 0);
  const policy = useMemo(() => {
    const made = { scope };
    NAMES.filter((name) => wish[name].trim() !== '').forEach((name) => {
      made[name] = valueOf(name, wish[name]);
    });
    return own.enabled === undefined ? made : { ...made, enabled: own.enabled };
  }, [wish]);
  const file = useMemo(() => fileOf(policy), [policy]);
  const isBlank = Object.keys(policy).length === 1;
  const check = useCheck(file);
  const faults = faultsOf(check.problem, NAMES);
  const fields = (check.comparison?.differences.find((one) => one.key === scope)?.fields || []).filter(({ field }) => NAMES.includes(field));
  const warnings = check.comparison?.warnings || [];
  const inherited = (name) => (inForce.data?.[name] && inForce.data[name].scope !== scope ? `${inForce.data[name].value}, from ${scopeText(inForce.data[name].scope)}` : 'inherited');
  const names = scope.startsWith('namespace:') ? FIELDS : FIELDS.filter(([name]) => name !== 'pattern');
  return html`
    <p class="muted">A field that is left empty is inherited.</p>
    <div class="fields">${names.map(([name, meaning, example]) =>
      Array.isArray(example)
        ? html`<${Field} key=${name} label=${name} hint=${meaning} value=${wish[name]} fault=${faults[name]} options=${[['', inherited(name)], ...example.map((one) => [one, one])]} onInput=${(text) => setWish((all) => ({ ...all, [name]: text }))} />`
        : html`<${Field} key=${name} label=${name} hint=${`${meaning}: ${example}`} placeholder=${inherited(name)} value=${wish[name]} fault=${faults[name]} onInput=${(text) => setWish((all) => ({ ...all, [name]: text }))} />`)}
    </div>
    <div role="status">
      ${check.problem && (faults[''] || Object.keys(faults).length === 0) && html`<${Fault} problem=${check.problem} />`}
      ${warnings.map((one) => html`<p class="warned"><${Name} text=${one.where} />: <${Name} text=${one.message} /></p>`)}
      ${isBlank ? html`<p class="muted">${record ? 'A policy has at least one rule. To inherit all, remove it instead.' : 'Set at least one field.'}</p>` : fields.length > 0 ? html`<${Difference} fields=${fields} />` : !check.problem && !check.busy && html`<p class="muted">This is what is in force.</p>`}
    </div>
    <div class="actions">
      <button type="button" class="main" disabled=${isBlank || check.busy || check.problem !== null || fields.length === 0} onClick=${() => save(scope, policy, file, fields, onClose)}>Put in force …</button>
      <button type="button" onClick=${onClose}>Cancel</button>
    </div>`;
};
