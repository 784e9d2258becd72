// Rejected records: what could not be used, why, and the way back.
import { html, useState } from './ui.js';
import { ask, caller, get, may, path } from './rest.js';
import { searchOn, useLive, usePages } from './live.js';
import { refine, to } from './router.js';
import { bytes } from './format.js';
import { MapTabs } from './tabs.js';
import { Card, Choice, Empty, Field, Lines, Live, More, Name, Table, Time, Title } from './parts.js';
import { question } from './dialogs.js';
import { asHex, asJson, asText, payloadOf } from './payload.js';

const REASONS = [
  'UNDECODABLE', 'UNKNOWN_SCHEMA', 'WRONG_TYPE', 'NO_STREAM', 'NO_ID', 'BAD_NAME', 'BAD_TIME', 'BAD_TIMESTAMP', 'BAD_EXECUTION', 'BAD_TTL',
  'BAD_TEXT', 'BAD_METADATA', 'TOO_BIG', 'UNSUPPORTED', 'HELD', 'STREAM_DELETED', 'BAD_POLICY', 'BAD_COMMAND', 'SOURCE_PATH', 'SOURCE_TYPE',
  'SOURCE_NAME', 'SOURCE_CONVERTER', 'FAILED', 'PARKED_FULL', 'DROPPED',
];
const words = (reason) => reason.toLowerCase().replaceAll('_', ' ');

const replay = (row) =>
  question({
    title: 'Send this record once more?',
    body: html`<p>It goes to <code>${row.topic}</code> as it was. If its reason still holds, it comes back here: <${Name} text=${row.detail} /></p>`,
    verb: 'Replay',
    reason: false,
    action: () => ask('POST', path`/v1/rejected/${row.id}/replay`),
    done: (answer) => `Sent to ${answer.topic}.`,
  });

const Record = ({ id, onClose }) => {
  const [form, setForm] = useState('text');
  const live = useLive((signal) => get(path`/v1/rejected/${id}`, {}, signal), [id], 0);
  return html`
    <${Card} title="Rejected record" actions=${html`
      ${live.data && may('POST /v1/rejected/{id}/replay') && html`<button type="button" class="main" onClick=${() => replay(live.data)}>Replay …</button>`}
      <button type="button" onClick=${onClose}>Close</button>`}>
      <${Live} of=${live}>${(row) => {
        const payload = row.valueBase64 ? payloadOf({ payloadBase64: row.valueBase64 }) : null;
        const shown = payload && { json: asJson, text: asText, hex: asHex }[form](payload);
        return html`
          <p class="lead"><${Name} text=${row.detail} /></p>
          <dl class="facts">
            <dt>Reason</dt><dd>${words(row.reason)}</dd>
            <dt>From</dt><dd>${row.topic}, partition ${row.partition}, offset ${row.offset}</dd>
            <dt>Rejected</dt><dd><${Time} at=${row.rejectedAt} /></dd>
            <dt>Key</dt><dd>${row.key === null || row.key === undefined ? html`<span class="muted">${row.keyBase64 ? 'bytes that are no text' : 'none'}</span>` : html`<${Name} text=${row.key} />`}</dd>
            ${Object.entries(row.headers || {}).map(([key, value]) => html`<dt key=${key}><${Name} text=${key} /></dt><dd><${Name} text=${value} /></dd>`)}
          </dl>
          ${!caller().payloads && html`<p class="muted">An operator may read its value (${bytes(row.bytes)}).</p>`}
          ${payload && html`<${Choice} label="Form of the value" value=${form} of=${[['json', 'JSON'], ['text', 'Text'], ['hex', 'Hex']]} onChange=${setForm} />
            ${shown === null ? html`<p class="muted">It is no ${form === 'json' ? 'JSON' : 'text in UTF-8'}; hex shows it.</p>` : html`<pre tabindex="0" aria-label="Value" class=${form}>${form === 'hex' ? shown : html`<${Lines} text=${shown} />`}</pre>`}`}`;
      }}</${Live}>
    </${Card}>`;
};

export const Rejected = ({ place }) => {
  const { reason, record } = place.query;
  const load = async (after, signal) => {
    const page = await get('/v1/rejected', { reason, limit: 50, after }, signal);
    return { rows: page.rejected, next: page.next };
  };
  const live = usePages(
    (after, signal) => searchOn((next) => load(next, signal), after),
    [reason],
    (row) => row.id,
    3000,
  );
  return html`
    <${Title} name="Rejected">Records that could not be used. They are kept, and can be sent once more.</${Title}>
    <${MapTabs} here="rejected" />
    ${record && html`<${Record} key=${record} id=${record} onClose=${() => refine({ record: '' })} />`}
    <${Card} label="Rejected records">
      <div class="filters" role="search"><${Field} label="Reason" value=${reason || ''} options=${[['', 'all'], ...REASONS.map((one) => [one, words(one)])]} onInput=${(one) => refine({ reason: one })} /></div>
      <${Live} of=${live}>${(page) =>
        page.rows.length === 0
          ? html`<${Empty} title=${page.next ? 'Nothing is found yet among the newest' : reason ? 'None is rejected for that' : 'No record is rejected'}><p>${reason ? html`<button type="button" onClick=${() => refine({ reason: '' })}>Show all</button>` : 'A record that cannot be read or used comes here instead of being lost.'}</p></${Empty}>`
          : html`
            <${Table} caption="Rejected records" rows=${page.rows} keyOf=${(row) => row.id} columns=${[
              { head: 'When', th: true, cell: (row) => html`<a href=${to(['rejected'], { ...place.query, record: row.id })}><${Time} at=${row.rejectedAt} /></a>` },
              { head: 'Reason', cell: (row) => html`<span>${words(row.reason)}<br /><span class="small muted"><${Name} text=${row.detail} /></span></span>` },
              { head: 'Key', cell: (row) => html`<${Name} text=${row.key ?? ''} />` },
              { head: 'From', cell: (row) => `${row.topic} ${row.partition}/${row.offset}` },
              { head: 'Size', num: true, cell: (row) => bytes(row.bytes) },
              ...(may('POST /v1/rejected/{id}/replay') ? [{ head: '', end: true, cell: (row) => html`<button type="button" class="plain" onClick=${() => replay(row)} aria-label=${`Replay record ${row.id}`}>Replay …</button>` }] : []),
            ]} />
            <${More} of=${live} />`}</${Live}>
    </${Card}>`;
};
