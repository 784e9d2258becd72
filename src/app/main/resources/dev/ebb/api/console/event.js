// One event: why it stays and when it goes, what it is, its payload on demand, and what can be done with it.
import { html, useState } from './ui.js';
import { ask, caller, get, may, path } from './rest.js';
import { useLive } from './live.js';
import { bytes } from './format.js';
import { Card, Choice, Empty, Fault, Field, Lines, Live, Name, Time } from './parts.js';
import { question } from './dialogs.js';
import { planned, tried } from './commands.js';
import { block, verdict } from './words.js';
import { asHex, asJson, asText, payloadOf } from './payload.js';

const load = (stream, id) => async (signal) => {
  const [event, explained] = await Promise.all([get(path`/v1/streams/${stream}/events/${id}`, {}, signal), get(path`/v1/streams/${stream}/explain`, { event: id }, signal)]);
  return { event, explained };
};

const Words = ({ parts }) => parts.map((part) => (typeof part === 'string' ? html`<${Name} text=${part} />` : html`<${Time} at=${part.at} away />`));

const Verdict = ({ event, explained }) => {
  if (!explained.event) {
    return null;
  }
  const { goes, text } = verdict(explained, event);
  return html`
    <p class=${`lead ${goes ? 'bad' : ''}`}><${Words} parts=${text} /></p>
    ${explained.blocks.map((one) => html`<div class="note" key=${one.detail}><strong>${block(one.what)}</strong><span><${Name} text=${one.detail} /></span></div>`)}`;
};

const Payload = ({ event }) => {
  const [form, setForm] = useState(null);
  if (!caller().payloads) {
    return html`<p class="muted">${bytes(event.payloadBytes)} of payload, which an operator may read.</p>`;
  }
  if (!event.payloadBytes) {
    return html`<p class="muted">It has no payload.</p>`;
  }
  if (form === null) {
    return html`<p><button type="button" onClick=${() => setForm(asJson(payloadOf(event)) === null ? 'text' : 'json')}>Show the payload (${bytes(event.payloadBytes)})</button></p>`;
  }
  const payload = payloadOf(event);
  const shown = { json: asJson, text: asText, hex: asHex }[form](payload);
  return html`
    <${Choice} label="Form of the payload" value=${form} of=${[['json', 'JSON'], ['text', 'Text'], ['hex', 'Hex']]} onChange=${setForm} />
    ${shown === null ? html`<p class="muted">It is no ${form === 'json' ? 'JSON' : 'text in UTF-8'}; hex shows it.</p>` : html`<pre tabindex="0" aria-label="Payload" class=${form}>${form === 'hex' ? shown : html`<${Lines} text=${shown} />`}</pre>`}`;
};

const TtlForm = ({ onWish }) => {
  const [kind, setKind] = useState('ttl');
  const [text, setText] = useState('');
  const tell = (newKind, newText) => {
    setKind(newKind);
    setText(newText);
    onWish(newKind === 'inherit' ? { inherit: true } : newKind === 'infinite' ? { noExpiration: true } : { ttl: newText.trim() });
  };
  return html`
    <${Field} label="It lives" value=${kind} options=${[['ttl', 'for a time from now on'], ['inherit', 'as its policy says'], ['infinite', 'for ever, where the policy allows it']]} onInput=${(next) => tell(next, text)} />
    ${kind === 'ttl' && html`<${Field} label="Time" placeholder="36h" hint="For example 90m, 36h or 30d." value=${text} onInput=${(next) => tell('ttl', next)} required />`}`;
};

const changeTtl = (stream, id) => {
  let wish = { ttl: '' };
  question({
    title: html`How long shall <${Name} text=${id} /> live?`,
    body: html`<${TtlForm} onWish=${(next) => { wish = next; }} />`,
    verb: 'Change its TTL',
    action: ({ reason, actor }) => ask('PUT', path`/v1/streams/${stream}/events/${id}/ttl`, { body: { ...wish, reason, ...(actor ? { actor } : {}) }, query: { wait: '30s' } }),
    done: (answer, by) => (answer.state === 'REFUSED' ? html`<p class="bad">Refused: <${Name} text=${answer.detail} /></p>` : `Its TTL is changed${by ? `, by ${by}` : ''}.`),
  });
};

const Facts = ({ event }) => html`
  <dl class="facts">
    <dt>Type</dt><dd><${Name} text=${event.type} /></dd>
    <dt>Status</dt><dd>${event.status ? html`<${Name} text=${event.status} />` : html`<span class="muted">none</span>`}</dd>
    <dt>Stored</dt><dd><${Time} at=${event.storedAt} /></dd>
    <dt>Occurred</dt><dd><${Time} at=${event.occurredAt} /></dd>
    ${event.completedAt && html`<dt>Completed</dt><dd><${Time} at=${event.completedAt} /></dd>`}
    <dt>Execution</dt><dd>${event.execution}</dd>
    <dt>Own TTL</dt><dd>${event.noExpiration ? 'for ever' : event.ttlSeconds ? `${event.ttlSeconds} s` : event.expiresAt ? html`until <${Time} at=${event.expiresAt} />` : html`<span class="muted">none: its policy decides</span>`}</dd>
    ${event.correlationId && html`<dt>Correlation</dt><dd><${Name} text=${event.correlationId} /></dd>`}
    ${Object.entries(event.metadata || {}).map(([key, value]) => html`<dt key=${key}><${Name} text=${key} /></dt><dd><${Name} text=${value} /></dd>`)}
    <dt>Size</dt><dd>${bytes(event.bytes)}${event.contentType ? html`, <${Name} text=${event.contentType} />` : ''}</dd>
  </dl>`;

export const EventCard = ({ stream, id, onClose }) => {
  const [problem, setProblem] = useState(null);
  const live = useLive(load(stream, id), [stream, id]);
  const actions = html`
    ${live.data && may('PUT /v1/streams/{stream}/events/{id}/ttl') && html`<button type="button" onClick=${() => changeTtl(stream, id)}>Change TTL …</button>`}
    ${live.data && may('DELETE /v1/streams/{stream}/events/{id}') && html`<button type="button" class="danger" onClick=${tried(() => planned({ title: html`Delete <${Name} text=${id} />?`, method: 'DELETE', where: path`/v1/streams/${stream}/events/${id}`, verb: 'Delete' }), setProblem)}>Delete …</button>`}
    <button type="button" onClick=${onClose}>Close</button>`;
  return html`
    <${Card} title=${html`<${Name} text=${id} />`} label="Event" actions=${actions}>
      <${Fault} problem=${problem} />
      ${live.problem?.status === 404
        ? html`<${Empty} title="It is not stored, or not any more"><p>The audit of its stream says if it went, and why.</p></${Empty}>`
        : html`<${Live} of=${live}>${({ event, explained }) => html`
          <${Verdict} event=${event} explained=${explained} />
          <${Payload} event=${event} />
          <${Facts} event=${event} />`}</${Live}>`}
    </${Card}>`;
};
