// Policies: all scopes as a tree, what each field inherits from where, and an editor.
import { html, useState } from './ui.js';
import { get, may } from './rest.js';
import { useLive } from './live.js';
import { go, to } from './router.js';
import { number } from './format.js';
import { Card, Empty, Fault, Field, Live, Name, Table, Time, Title } from './parts.js';
import { Changes } from './changes.js';
import { Waiting } from './waiting.js';
import { Editor, remove } from './policy-editor.js';
import { effective, nameOf, summary, treeOf } from './scopes.js';
import { FIELDS, scope as scopeText } from './words.js';

const load = async (signal) => {
  const [policies, waiting, spaces] = await Promise.all([
    get('/v1/policies', { 'built-in': true }, signal),
    get('/v1/policies/waiting', {}, signal),
    get('/v1/namespaces', {}, signal),
  ]);
  return { version: policies.version, records: policies.policies, waiting: waiting.waiting, names: spaces.namespaces.map((one) => one.namespace) };
};

const MOST_SHOWN = 100;

const Branch = ({ node, chosen }) => {
  const policy = node.record?.policy;
  const shown = node.children.filter((child, i) => i < MOST_SHOWN || child.record || child.scope === chosen).slice(0, 3 * MOST_SHOWN);
  return html`<li>
    <a href=${to(['policies', node.scope])} aria-current=${node.scope === chosen ? 'true' : undefined}>
      <b>${node.scope.startsWith('pattern:') && html`<span class="muted">pattern </span>`}<${Name} text=${node.scope === '*' ? '* (all streams)' : nameOf(node.scope)} /></b>
      <span class="small muted">${policy ? summary(policy) : node.builtIn ? `built in: ${summary(node.builtIn.policy)}` : 'inherits all'}</span>
    </a>
    ${node.children.length > 0 && html`<ul>${shown.map((child) => html`<${Branch} key=${child.scope} node=${child} chosen=${chosen} />`)}${shown.length < node.children.length && html`<li class="small muted">and ${number(node.children.length - shown.length)} more; go to one by its name above.</li>`}</ul>`}
  </li>`;
};

const InForce = ({ scope, records, version }) => {
  const live = useLive((signal) => effective(scope, records, signal), [scope, version], 0);
  return html`<${Live} of=${live}>${(fields) => html`
    <${Table} caption=${`Fields in force for ${scopeText(scope)}`} rows=${FIELDS.filter(([name]) => fields[name])} keyOf=${([name]) => name} columns=${[
      { head: 'Field', th: true, cell: ([name]) => name },
      { head: 'In force', cell: ([name]) => html`<b><${Name} text=${fields[name].value} /></b>` },
      { head: 'From', cell: ([name]) => (fields[name].scope === scope ? html`<span class="pill">${fields[name].version === null ? 'built in' : 'set here'}</span>` : html`<span class="muted">${fields[name].version === null ? 'built in' : html`<a href=${to(['policies', fields[name].scope])}><${Name} text=${scopeText(fields[name].scope)} /></a>`}</span>`) },
      { head: 'Meaning', cell: ([, meaning]) => html`<span class="small muted">${meaning}</span>` },
    ]} />`}</${Live}>`;
};

const Detail = ({ scope, data }) => {
  const [isEditing, setEditing] = useState(false);
  const record = data.records.find((one) => one.scope === scope && !one.builtIn);
  const mayEdit = may('PUT /v1/policies/{scope}');
  const actions = html`
    ${mayEdit && !isEditing && html`<button type="button" class="main" onClick=${() => setEditing(true)}>${record ? 'Change …' : 'Set a policy …'}</button>`}
    <a class="button" href=${to(['what-if'], { scope })}>What if</a>
    ${record && may('DELETE /v1/policies/{scope}') && html`<button type="button" class="danger" onClick=${() => remove(record)}>Remove …</button>`}`;
  const by = record?.policy.updatedBy;
  return html`
    <${Card} title=${html`Policy of <${Name} text=${scopeText(scope)} />`} label="Policy" actions=${actions}>
      ${record
        ? html`<p class="muted">Version ${record.version}, set <${Time} at=${record.since} away />${by ? html` by <${Name} text=${by} />` : ''}${record.policy.reason ? html`: <${Name} text=${record.policy.reason} />` : ''}</p>`
        : html`<p class="muted">${data.records.some((one) => one.scope === scope) ? 'The built-in values apply: nothing else is set for this scope.' : 'It has no policy of its own: all comes from wider scopes.'}</p>`}
      ${isEditing
        ? html`<${Editor} scope=${scope} record=${record} records=${data.records} onClose=${() => setEditing(false)} />`
        : html`<${InForce} scope=${scope} records=${data.records} version=${data.version} />`}
    </${Card}>`;
};

/** Goes to a scope that has no policy yet. */
const NewScope = () => {
  const [text, setText] = useState('');
  const open = (event) => {
    event.preventDefault();
    if (text.trim()) {
      go(['policies', text.trim()]);
    }
  };
  return html`<form class="filters" onSubmit=${open}>
    <${Field} label="Go to a scope" placeholder="stream:orders/eu-1" value=${text} onInput=${setText} />
    <button>Open</button>
  </form>`;
};

const isScope = (text) => /^(\*|(stream|namespace|pattern):.+)$/s.test(text);

export const Policies = ({ place }) => {
  const live = useLive(load, []);
  const scope = place.parts[1] ?? '*';
  return html`
    <${Title} name="Policies">How long streams are kept, and from where each rule comes.</${Title}>
    <${Live} of=${live}>${(data) => html`
      <${Waiting} waiting=${data.waiting} records=${data.records} />
      ${!data.records.some((record) => !record.builtIn) && place.parts[1] === undefined && html`<${Card} label="No policies yet"><${Empty} title="No policy is set: the built-in one applies to all">
        <p>Choose a scope below and say how long its events live, or apply a file:</p><pre>ebb policy set namespace:orders --max-age 30d</pre></${Empty}></${Card}>`}
      <div class="wide-left">
        ${isScope(scope)
          ? html`<div class="column"><${Detail} key=${scope} scope=${scope} data=${data} /><${Changes} key=${`changes of ${scope}`} scope=${scope} version=${data.version} /></div>`
          : html`<${Fault} problem=${{ title: 'This is no scope', message: 'Write stream:NAME, namespace:NAME, pattern:NAME or *.' }} />`}
        <${Card} title="Scopes">
          <${NewScope} />
          <nav class="tree" aria-label="Scopes"><ul><${Branch} node=${treeOf(data.records, data.names)} chosen=${scope} /></ul></nav>
        </${Card}>
      </div>`}</${Live}>`;
};
