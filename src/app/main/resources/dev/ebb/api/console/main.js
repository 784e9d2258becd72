// The frame: who is here, where one can go, and the screen of the place.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from './ui.js';
import { caller, identify, onRefused, token } from './rest.js';
import { listen } from './live.js';
import { arrive, leave, offered } from './login.js';
import { to, usePlace } from './router.js';
import { plain } from './format.js';
import { WAYS, times } from './times.js';
import { Dialogs } from './dialogs.js';
import { Strip } from './strip.js';
import { Choice, Fault, Field, Name } from './parts.js';
import { Tide } from './tide.js';
import { WhatIf } from './what-if.js';
import { Policies } from './policies.js';
import { Streams } from './streams.js';
import { Stream } from './stream.js';
import { Holds } from './holds.js';
import { Audit } from './audit.js';
import { Sweeps } from './sweeps.js';
import { Trash } from './undo.js';
import { Report } from './report.js';
import { Search } from './search.js';
import { Erase } from './erase.js';
import { Map } from './map.js';
import { Rejected } from './rejected.js';
import { Verify } from './verify.js';
import { Archive } from './archive.js';
import { Parked } from './parked.js';
import { Running } from './running.js';
import { Sources } from './sources.js';

const PLACES = [
  ['tide', 'Tide', Tide],
  ['what-if', 'What if', WhatIf],
  ['policies', 'Policies', Policies],
  ['streams', 'Streams', (props) => (props.place.parts[1] === undefined ? html`<${Streams} ...${props} />` : html`<${Stream} key=${props.place.parts[1]} ...${props} />`)],
  ['search', 'Search', Search],
  ['holds', 'Holds', Holds],
  ['audit', 'Audit', Audit],
  ['sweeps', 'Sweeps', Sweeps],
  ['undo', 'Undo', Trash],
  ['report', 'Report', Report],
  ['erase', 'Erase', Erase],
  ['map', 'Status', Map],
  ['verify', 'Verify', Verify],
  ['rejected', 'Rejected', Rejected],
  ['archive', 'Archive', Archive],
  ['parked', 'Parked', Parked],
  ['commands', 'Commands', Running],
  ['sources', 'Sources', Sources],
];

// A search belongs to the streams; sweeps, undo, report and erasures to the audit; comparing and rejected records to the map.
const PARENT = { search: 'streams', sweeps: 'audit', undo: 'audit', report: 'audit', erase: 'audit', archive: 'audit', verify: 'map', rejected: 'map', parked: 'map', commands: 'map', sources: 'map' };

const Wave = () => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 9c3.300 0 3.300 2.600 6.600 2.600S11.900 9 15.200 9s3.300 2.600 6.600 2.600M2 15c3.300 0 3.300 2.600 6.600 2.600S11.900 15 15.200 15s3.300 2.600 6.600 2.600" fill="none" stroke="currentColor" stroke-width="2.400" stroke-linecap="round"/></svg>`;

const Entry = ({ detail, arrival, onEntered }) => {
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState(null);
  const [login, setLogin] = useState(null);
  useEffect(() => {
    offered().then(setLogin, setProblem);
  }, []);
  const enter = async (event) => {
    event.preventDefault();
    token.set(secret.trim());
    try {
      onEntered(await identify());
    } catch (e) {
      token.forget();
      setProblem(e);
    }
  };
  return html`
    <main class="entry">
      <form class="card" onSubmit=${enter}>
        <span class="brand"><${Wave} />Ebb</span>
        ${login?.address && html`
          <h1>Log in</h1>
          <p class="muted">The page of your organisation asks who you are, and sends you back here.</p>
          <div class="actions"><button type="button" class="main" onClick=${() => leave(login).catch(setProblem)}>Log in</button></div>`}
        <h1>${login?.address ? 'Or enter a token' : 'Enter your token'}</h1>
        <p class="muted">It stays in this tab until you close it, and goes to this instance alone. <code>ebb token create</code> makes one.</p>
        <${Field} label="Token" type="password" value=${secret} onInput=${setSecret} required autofocus autocomplete="off" />
        ${problem || arrival ? html`<${Fault} problem=${problem || arrival} />` : detail && html`<p class="bad" role="alert"><${Name} text=${detail} /></p>`}
        <div class="actions"><button class="main" disabled=${!secret.trim()}>Enter</button></div>
      </form>
    </main>`;
};

const Frame = ({ onLeave }) => {
  const place = usePlace();
  const content = useRef(null);
  const first = useRef(true);
  const [way, setWay] = useState(times.get());
  const choose = (next) => {
    times.set(next);
    setWay(next);
  };
  const [key, title, Screen] = PLACES.find(([name]) => name === place.parts[0]) || PLACES[0];
  const here = PARENT[key] || key;
  const where = place.parts.slice(0, 2).join('/');
  useEffect(() => {
    performance.mark('frame');
  }, []);
  // Before anything is painted: a key that is pressed next belongs to the new screen.
  useLayoutEffect(() => {
    document.title = `${place.parts[1] ? `${plain(place.parts[1])} – ` : ''}${title} – Ebb`;
    if (!first.current) {
      content.current.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first.current = false;
  }, [where]);
  const me = caller();
  return html`
    <a class="skip" href="#content" onClick=${(event) => { event.preventDefault(); content.current.focus(); }}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href=${to(['tide'])}><${Wave} />Ebb</a>
        <nav class="places" aria-label="Places">
          ${PLACES.filter(([name]) => !PARENT[name]).map(([name, text]) => html`<a key=${name} href=${to([name])} aria-current=${name === here ? 'page' : undefined}>${text}</a>`)}
        </nav>
        <div class="who">
          <${Choice} label="Times" value=${way} of=${WAYS} onChange=${choose} />
          <span class="where">${location.host}</span>
          <span>${me.name === null ? 'This instance asks for no token.' : html`<${Name} text=${me.name} />, ${me.roles.join(', ')}`}</span>
          ${me.name !== null && html`<button type="button" class="plain" onClick=${onLeave}>Leave</button>`}
        </div>
      </header>
      <main id="content" tabindex="-1" ref=${content}><div class="screen"><${Strip} /><${Screen} place=${place} /></div></main>
    </div>`;
};

const App = () => {
  const [state, setState] = useState({ phase: 'asking' });
  const begin = () =>
    identify().then(
      () => setState({ phase: 'in' }),
      (problem) => problem.status !== 401 && setState({ phase: 'failed', problem }),
    );
  useEffect(() => {
    onRefused((detail) => {
      const had = token.get() !== null;
      token.forget();
      setState({ phase: 'entry', detail: had ? detail : null });
    });
    arrive().then(begin, (problem) => setState({ phase: 'entry', arrival: problem }));
  }, []);
  useEffect(() => (state.phase === 'in' ? listen() : undefined), [state.phase]);
  if (state.phase === 'in') {
    return html`<${Frame} onLeave=${() => { token.forget(); setState({ phase: 'entry' }); }} /><${Dialogs} />`;
  }
  if (state.phase === 'entry') {
    return html`<${Entry} detail=${state.detail} arrival=${state.arrival} onEntered=${() => setState({ phase: 'in' })} />`;
  }
  return html`<main class="entry">${state.phase === 'failed' ? html`<${Fault} problem=${state.problem} again=${begin} />` : html`<p class="muted" role="status">Loading …</p>`}</main>`;
};

const root = document.getElementById('app');
root.textContent = '';
render(html`<${App} />`, root);
