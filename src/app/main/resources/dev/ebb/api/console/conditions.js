// Conditions on events: texts that they have, byte for byte.
import { html } from './ui.js';
import { Field } from './parts.js';

const METADATA = 'metadata';
const FIELDS = [
  [METADATA, 'metadata'],
  ['stream', 'stream'],
  ['id', 'id'],
  ['type', 'type'],
  ['status', 'status'],
  ['correlationId', 'correlation id'],
  ['contentType', 'content type'],
  ['source', 'source'],
];
const NEW = { field: METADATA, key: '', text: '' };

/** A condition as the command takes it: a key that is empty or has an equals sign stands in quotation marks. */
export const written = ({ field, key, text }) => {
  if (field !== METADATA) {
    return `${field}=${text}`;
  }
  const isPlain = key && !key.includes('=') && !key.startsWith('"');
  return `${METADATA}.${isPlain ? key : `"${key.replaceAll('"', '""')}"`}=${text}`;
};

const Condition = ({ one, n, set, remove }) => html`
  <div class="filters" role="group" aria-label=${`Condition ${n}`}>
    <${Field} label="Field" value=${one.field} options=${FIELDS} onInput=${(field) => set({ ...one, field })} />
    ${one.field === METADATA && html`<${Field} label="Key" placeholder="user" value=${one.key} onInput=${(key) => set({ ...one, key })} />`}
    <${Field} label="Is exactly" value=${one.text} onInput=${(text) => set({ ...one, text })} required />
    ${remove && html`<button type="button" class="plain" onClick=${remove} aria-label=${`Leave out condition ${n}`}>Leave out</button>`}
  </div>`;

/** The conditions that were asked last, in this tab alone: a search leads to an erasure of what it has found. */
export const asked = { conditions: [NEW], namespace: '' };

export const areReady = (conditions) => conditions.every((one) => one.text);

/** A list of conditions to be changed; all of them must be met. */
export const Conditions = ({ of, onChange }) => html`
  ${of.map((one, i) => html`<${Condition} key=${i} n=${i + 1} one=${one} set=${(next) => onChange(of.map((other, at) => (at === i ? next : other)))} remove=${of.length > 1 && (() => onChange(of.filter((other, at) => at !== i)))} />`)}
  <div class="actions"><button type="button" class="plain" onClick=${() => onChange([...of, NEW])}>One more condition</button></div>`;
