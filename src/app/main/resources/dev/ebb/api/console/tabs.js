// Tabs of screens that belong together.
import { html } from './ui.js';
import { may } from './rest.js';
import { to } from './router.js';

/** Tabs of what was done: single deletes and changes, sweeps, the ways back, and what is owed to people. */
export const AuditTabs = ({ here }) => html`
  <nav class="tabs" aria-label="Audit and sweeps">
    <a href=${to(['audit'])} aria-current=${here === 'audit' ? 'page' : undefined}>Audit</a>
    <a href=${to(['sweeps'])} aria-current=${here === 'sweeps' ? 'page' : undefined}>Sweeps</a>
    ${may('GET /v1/trash') && html`<a href=${to(['undo'])} aria-current=${here === 'undo' ? 'page' : undefined}>Undo</a>`}
    ${may('GET /v1/reports/compliance') && html`<a href=${to(['report'])} aria-current=${here === 'report' ? 'page' : undefined}>Report</a>`}
    ${may('GET /v1/erase') && html`<a href=${to(['erase'])} aria-current=${here === 'erase' ? 'page' : undefined}>Erase</a>`}
    ${may('GET /v1/archive') && html`<a href=${to(['archive'])} aria-current=${here === 'archive' ? 'page' : undefined}>Archive</a>`}
  </nav>`;

/** Tabs of what is stored: stream by stream, or by what events say. */
export const StreamTabs = ({ here }) => html`
  <nav class="tabs" aria-label="Streams and events">
    <a href=${to(['streams'])} aria-current=${here === 'streams' ? 'page' : undefined}>Streams</a>
    ${may('GET /v1/events') && html`<a href=${to(['search'])} aria-current=${here === 'search' ? 'page' : undefined}>Search</a>`}
  </nav>`;

/** Tabs of the state: the map, the comparison with SQL, and what could not be used. */
export const MapTabs = ({ here }) => html`
  <nav class="tabs" aria-label="State">
    <a href=${to(['map'])} aria-current=${here === 'map' ? 'page' : undefined}>Status</a>
    <a href=${to(['verify'])} aria-current=${here === 'verify' ? 'page' : undefined}>Verify</a>
    <a href=${to(['rejected'])} aria-current=${here === 'rejected' ? 'page' : undefined}>Rejected</a>
    ${may('GET /v1/parked') && html`<a href=${to(['parked'])} aria-current=${here === 'parked' ? 'page' : undefined}>Parked</a>`}
    <a href=${to(['commands'])} aria-current=${here === 'commands' ? 'page' : undefined}>Commands</a>
    ${may('GET /v1/sources') && html`<a href=${to(['sources'])} aria-current=${here === 'sources' ? 'page' : undefined}>Sources</a>`}
  </nav>`;
