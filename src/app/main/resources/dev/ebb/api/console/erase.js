// Erasures: events that match, with their copies, for good; and where bytes of them may remain, and until when.
import { html, useState } from './ui.js';
import { caller, get, may } from './rest.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { bytes, count, number, plain } from './format.js';
import { Card, Empty, Fault, Field, Live, Name, Table, Time, Title } from './parts.js';
import { AuditTabs } from './tabs.js';
import { planned, tried } from './commands.js';
import { Conditions, areReady, asked, written } from './conditions.js';

const FINAL = {
  title: 'Erase these events for good?',
  method: 'POST',
  where: '/v1/erase',
  kind: 'erase',
  verb: 'Erase',
  isFinal: true,
  extra: html`<p class="warned">Their copies in the archive and the trash go too. Nothing brings them back.</p>`,
};

const Planned = ({ plan }) => {
  const [id, setId] = useState(plan || '');
  const [problem, setProblem] = useState(null);
  const submit = (event) => {
    event.preventDefault();
    setProblem(null);
    tried(() => planned({ ...FINAL, made: id.trim(), body: {} }), setProblem)();
  };
  return html`
    <${Card} title="Carry out the plan of another person">
      <form class="column" onSubmit=${submit}>
        <p class="muted">Two people erase: one counts what would go, and another one carries that plan out.</p>
        <${Field} label="Plan" hint="The id that the other person has been shown." value=${id} onInput=${setId} required />
        <${Fault} problem=${problem} />
        <div class="actions"><button class="main" disabled=${!id.trim()}>Show what would go …</button></div>
      </form>
    </${Card}>`;
};

const Request = () => {
  const [conditions, setConditions] = useState(asked.conditions);
  const [caseId, setCase] = useState('');
  const [namespace, setNamespace] = useState(asked.namespace);
  const [force, setForce] = useState(false);
  const [problem, setProblem] = useState(null);
  const isReady = caseId.trim() && areReady(conditions);
  const body = { case: caseId.trim(), where: conditions.map(written), ...(namespace ? { namespace } : {}), ...(force ? { force } : {}) };
  const erase = tried(() => planned({ ...FINAL, body }), setProblem);
  const submit = (event) => {
    event.preventDefault();
    setProblem(null);
    erase();
  };
  return html`
    <${Card} title="Erase events that match">
      <form class="column" onSubmit=${submit}>
        <p class="muted">All conditions must be met, byte for byte. Payloads are not searched. The next step only counts; <a href=${to(['search'])}>a search</a> shows the events.</p>
        <${Conditions} of=${conditions} onChange=${setConditions} />
        <div class="filters">
          <${Field} label="Case" hint="The erasure is found under it." value=${caseId} onInput=${setCase} required />
          <${Field} label="Namespace" placeholder="all" value=${namespace} onInput=${setNamespace} />
        </div>
        <label class="check"><input type="checkbox" checked=${force} onChange=${(event) => setForce(event.target.checked)} /><span>Also events whose work is still in progress; held events stay in any case.</span></label>
        <${Fault} problem=${problem} />
        <div class="actions"><button class="main" disabled=${!isReady}>Count what would go …</button></div>
      </form>
    </${Card}>`;
};

const Places = ({ erasure }) => html`
  <${Card} title=${html`Case <${Name} text=${erasure.caseId} />`} label=${`Case ${plain(erasure.caseId)}`} actions=${html`<button type="button" onClick=${() => refine({ command: '' })}>Close</button>`}>
    <p>${count(erasure.events, 'event')} (${bytes(erasure.bytes)}) went${erasure.actor ? html`, by <${Name} text=${erasure.actor} />` : ''}${erasure.reason ? html`: <${Name} text=${erasure.reason} />` : ''}.</p>
    ${erasure.detail && html`<p class="muted"><${Name} text=${erasure.detail} /></p>`}
    ${Object.entries(erasure.left).map(([why, n]) => html`<p class="warned">${count(n, 'event')} stayed: ${why.toLowerCase().replaceAll('_', ' ')}</p>`)}
    <${Table} caption="Places where bytes may remain" rows=${erasure.places} keyOf=${(row) => row.name} columns=${[
      { head: 'Place', th: true, cell: (row) => html`<${Name} text=${row.name} />` },
      { head: 'What', cell: (row) => row.content },
      { head: 'Until', cell: (row) => (row.isClean ? 'clean by now' : row.until ? html`<${Time} at=${row.until} seconds=${false} />` : 'no bound') },
      { head: 'Bounded by', cell: (row) => html`<span class="small muted"><${Name} text=${row.setting} /></span>` },
    ]} />
  </${Card}>`;

export const Erase = ({ place }) => {
  const live = useLive((signal) => get('/v1/erase', {}, signal), [], 15000);
  return html`
    <${Title} name="Erase">Requests to be forgotten: what went for good, and where bytes of it may remain.</${Title}>
    <${AuditTabs} here="erase" />
    ${may('POST /v1/erase') && html`<${Request} />`}
    ${may('POST /v1/erase') && (caller().secondPerson || place.query.plan) && html`<${Planned} key=${place.query.plan} plan=${place.query.plan} />`}
    <${Live} of=${live}>${({ erasures }) => {
      const chosen = erasures.find((one) => one.commandId === place.query.command);
      return html`
        ${chosen && html`<${Places} erasure=${chosen} />`}
        <${Card} title="Erasures">
          ${erasures.length === 0
            ? html`<${Empty} title="Nothing was erased"><p>An eraser or an admin can erase events that match a request.</p></${Empty}>`
            : html`<${Table} caption="Erasures" rows=${erasures} keyOf=${(row) => row.commandId || row.finishedAt} columns=${[
                { head: 'Case', th: true, cell: (row) => html`<a href=${to(['erase'], { command: row.commandId })}><${Name} text=${row.caseId} /></a>` },
                { head: 'When', cell: (row) => html`<${Time} at=${row.finishedAt} />` },
                { head: 'Conditions on', cell: (row) => html`<${Name} text=${row.fields.join(', ')} />${row.namespace && html` in <${Name} text=${row.namespace} />`}` },
                { head: 'Events', num: true, cell: (row) => number(row.events) },
                { head: 'By', cell: (row) => (row.actor ? html`<${Name} text=${row.actor} />` : '–') },
                { head: 'Reason', cell: (row) => html`<${Name} text=${row.reason} />` },
              ]} />`}
        </${Card}>`;
    }}</${Live}>`;
};
