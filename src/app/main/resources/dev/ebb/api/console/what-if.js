// What if: another limit for a scope, and the tide that it would make.
import { html, useEffect, useMemo, useRef, useState } from './ui.js';
import { get, may } from './rest.js';
import { useLive } from './live.js';
import { refine, to } from './router.js';
import { count, number, parseDuration, percent, plain } from './format.js';
import { Card, Choice, Empty, Fault, Field, Live, Name, Title, Unanswered } from './parts.js';
import { StackPlot } from './plot.js';
import { Numbers, Readout } from './readout.js';
import { question, tell } from './dialogs.js';
import { Plan, applyPlan, planOf } from './plan.js';
import { effective, namespaceOf } from './scopes.js';
import { faultsOf, fileOf, ownFields, valueOf } from './policy-file.js';
import { RANGES, rangeOf } from './spans.js';
import { bars, forecastOf, namespaces, plus, readShare, sum } from './tides.js';
import { scope as scopeText } from './words.js';

const LIMITS = [
  ['maxAge', 'Older events go', '30d or unlimited'],
  ['maxCount', 'Most events of a stream', '1000 or unlimited'],
  ['maxBytes', 'Most bytes of a stream', '1048576 or unlimited'],
  ['keepLast', 'Newest events that always stay', '5 or none'],
  ['minAge', 'Younger events always stay', '1h or none'],
  ['minTtl', 'Least TTL of producers', '10s or none'],
  ['maxTtl', 'Greatest TTL of producers', '90d or none'],
];
const NAMES = LIMITS.map(([name]) => name);
const AGES = ['1m', '10m', '1h', '6h', '12h', '1d', '2d', '3d', '7d', '14d', '30d', '60d', '90d', '180d', '365d', '730d', 'unlimited'];
const PATIENCE_MS = 450;
const PLAN_PATIENCE_MS = 1000;

/** Scopes to choose from: those with a policy, and all namespaces. */
const choices = async (signal) => {
  const [policies, spaces] = await Promise.all([get('/v1/policies', { 'built-in': true }, signal), get('/v1/namespaces', {}, signal)]);
  const names = new Set(['*', ...spaces.namespaces.map((one) => `namespace:${one.namespace}`), ...policies.policies.filter((record) => !record.builtIn).map((record) => record.scope)]);
  const biggest = spaces.namespaces.reduce((most, one) => (one.events > (most?.events ?? -1) ? one : most), null);
  return { records: policies.policies, names: [...names].sort(), biggest: biggest && `namespace:${biggest.namespace}` };
};

/** The tide that the file would make, a moment after the last change of it. */
const useForecast = (file, range, namespace) => {
  const [state, setState] = useState({ forecast: null, problem: null, busy: true });
  useEffect(() => {
    const control = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    const timer = setTimeout(async () => {
      try {
        setState({ forecast: await forecastOf(range, file, namespace, control.signal), problem: null, busy: false });
      } catch (problem) {
        if (!control.signal.aborted) {
          setState((before) => ({ ...before, problem, busy: false }));
        }
      }
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [file, range, namespace]);
  return state;
};

// A plan makes all partitions count and write a list down, also when its caller has given it up: one is made at a time.
let planning = Promise.resolve();

/** The plan of the file, once it has rested and the former plan is made; null where none is wanted or the file is another one. */
const usePlan = (file, isWished) => {
  const [state, setState] = useState({ plan: null, problem: null, busy: false });
  useEffect(() => {
    let isWanted = isWished;
    setState((before) => ({ plan: isWished ? before.plan : null, problem: null, busy: isWished }));
    const timer = isWished
      ? setTimeout(async () => {
          const mine = planning.then(() => (isWanted ? planOf(file, { isWanted: () => isWanted }) : null));
          planning = mine.catch(() => null);
          const made = await mine.then(
            (plan) => ({ plan, problem: null, busy: false }),
            (problem) => ({ plan: null, problem, busy: false }),
          );
          if (isWanted) {
            setState(made);
          }
        }, PLAN_PATIENCE_MS)
      : null;
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [file, isWished]);
  return state;
};

/** The mark of the scale for an age: its own, or else the greatest below it. */
export const onScale = (age) => {
  const ms = parseDuration(age) ?? Infinity;
  return AGES.findLast((one) => (parseDuration(one) ?? Infinity) <= ms) || AGES[0];
};

const AgeSlider = ({ value, inForce, onInput }) => {
  return html`<${Field} label="Scale of maxAge" type="range" min="0" max=${AGES.length - 1} step="1" value=${AGES.indexOf(onScale(value || inForce))}
    aria-valuetext=${value || inForce} onInput=${(index) => onInput(AGES[Number(index)])}
    below=${html`<span class="scale" aria-hidden="true">${AGES.map((age, i) => html`<span key=${age} class=${i % 4 === 0 ? '' : 'between'}>${age}</span>`)}</span>`} />`;
};

const apply = (scope, file, plan) =>
  question({
    title: html`Apply the policy of <${Name} text=${scopeText(scope)} />?`,
    body: html`<${Plan} plan=${plan} />`,
    verb: 'Apply with this plan',
    danger: plan.wouldDelete.events > 0,
    action: (by) => applyPlan(file, plan, by),
    done: (answer, by) => `${answer.inForce ? 'In force' : 'Sent'}: the policy of ${plain(scopeText(scope))}, version ${answer.version}${by ? `, by ${plain(by)}` : ''}.`,
  });

const copy = async (file) => {
  try {
    await navigator.clipboard.writeText(file);
    tell('The YAML is in the clipboard.');
  } catch {
    tell('The browser does not let the page copy here; mark the YAML below and copy it.');
  }
};

const overdueOf = (row) => plus(row.overdue, row.sooner);

/** What goes at once of a row: of its namespace, or of all that have no row of their own. */
const atOnceOf = (plan, rows) => {
  if (!plan) {
    return overdueOf;
  }
  const own = new Set(rows.map((row) => row.namespace));
  const of = (filter) => sum(plan.namespaces.filter(filter).map((one) => one.wouldDelete));
  return (row) => (row.namespace === null ? of((one) => !own.has(one.namespace)) : of((one) => one.namespace === row.namespace));
};

const Redrawn = ({ tide, planned, scope, range, unit }) => {
  const { forecast } = tide;
  const { plan } = planned;
  const rows = useMemo(() => forecast && namespaces(forecast), [forecast]);
  // The plan knows to the event what goes at once; a forecast knows it of long streams about.
  const exact = planned.busy || tide.busy ? null : plan;
  const shape = useMemo(() => forecast && bars(forecast, null, rows, unit, atOnceOf(exact, rows)), [forecast, rows, unit, exact]);
  if (!forecast) {
    return tide.busy ? html`<p class="muted" role="status">Drawing …</p>` : null;
  }
  if (forecast.stored.events === 0) {
    return html`<${Card} label="Nothing is stored"><${Empty} title="Nothing is stored, so nothing would go"><p>Send events first; <a href=${to(['tide'])}>Tide</a> shows how.</p></${Empty}></${Card}>`;
  }
  // The plan counts all namespaces, the forecast that of the scope: a sentence speaks of one of them.
  const ofScope = (all) => (namespaceOf(scope) === undefined ? all.wouldDelete : sum(all.namespaces.filter((row) => row.namespace === namespaceOf(scope)).map((row) => row.wouldDelete)));
  const atOnce = exact ? ofScope(exact) : sum(rows.map(overdueOf));
  const isSure = exact !== null || forecast.exact || atOnce.events === 0;
  const due = sum(rows.map((row) => sum(row.due)));
  const highest = Math.max(...shape.buckets.map((bucket, i) => shape.layers.reduce((n, layer) => n + (layer.values[i] || 0), 0)));
  const own = scope.startsWith('namespace:') && plan?.namespaces.find((row) => row.namespace === namespaceOf(scope));
  const allowed = plan ? (own ? own.allowed : plan.brake.allowed) : null;
  const limit = unit === 'events' && allowed && allowed < 3 * highest ? { value: allowed, name: `the brake lets ${number(allowed)} go at once` } : null;
  const share = readShare(forecast);
  return html`
    <${Unanswered} of=${forecast.unanswered} />
    <${Card} title="The tide it would make">
      ${share < 1 && html`<p class="small muted" role="status">The due times of ${percent(share)} of the events have been read so far; the figures of the others are guesses.</p>`}
      <p class="lead">${isSure ? '' : 'About '}<b>${atOnce.events === 0 ? 'Nothing' : count(atOnce.events, 'event')}</b> would go at once, and ${forecast.exact ? '' : 'about '}${number(due.events)} in ${RANGES[range].next}, of ${number(forecast.stored.events)}.</p>
      <div class=${tide.busy ? 'loading' : ''}>
        <${StackPlot} buckets=${shape.buckets} layers=${shape.layers} unit=${unit} now=${null} limit=${limit} height=${18}
          label=${`Bars of ${unit} that would go, by namespace; the first has what goes at once.`}
          say=${(chosen) => html`<${Readout} shape=${shape} chosen=${chosen} unit=${unit} hint="The first bar has what goes at once." />`} />
      </div>
      <${Numbers} shape=${shape} unit=${unit} />
    </${Card}>
    ${plan && html`<${Card} title="At once">
      <div class=${planned.busy ? 'loading' : ''}><${Plan} plan=${plan} /></div>
    </${Card}>`}
    ${!plan && !may('POST /v1/policies:plan') && html`<p class="small muted">A plan, with the line of the brake, needs the role operator.</p>`}`;
};

const Trial = ({ scope, records, range, unit }) => {
  const record = records.find((one) => one.scope === scope && !one.builtIn);
  const before = ownFields(record?.policy);
  const [wish, setWish] = useState(() => Object.fromEntries(NAMES.map((name) => [name, before[name] === undefined ? '' : String(before[name])])));
  const inForce = useLive((signal) => effective(scope, records, signal), [scope], 0);
  const set = (name) => (text) => setWish((all) => ({ ...all, [name]: text }));
  const file = useMemo(() => {
    const policy = { ...before, scope };
    NAMES.forEach((name) => {
      policy[name] = wish[name].trim() === '' ? undefined : valueOf(name, wish[name]);
    });
    return fileOf(policy);
  }, [scope, wish]);
  const first = useRef(file);
  const isChanged = file !== first.current && file.includes('scope:');
  const tide = useForecast(file, range, namespaceOf(scope));
  const planned = usePlan(file, isChanged && may('POST /v1/policies:plan'));
  const problem = tide.problem || planned.problem;
  const faults = faultsOf(problem, NAMES);
  const isFaulty = Object.keys(faults).length > 0;
  const value = (name) => (inForce.data ? String(inForce.data[name].value) : '');
  const from = (name) => (inForce.data && inForce.data[name].scope !== scope ? `Now ${value(name)}, from ${scopeText(inForce.data[name].scope)}` : inForce.data ? `Now ${value(name)}` : '');
  return html`
    <${Card} title=${html`Limits of <${Name} text=${scopeText(scope)} />`} label="Limits" actions=${html`
      ${may('POST /v1/policies:apply') && html`<button type="button" class="main" disabled=${!isChanged || isFaulty || planned.busy || planned.plan === null} onClick=${() => apply(scope, file, planned.plan)}>Apply …</button>`}
      <button type="button" onClick=${() => copy(file)}>Copy YAML</button>`}>
      <${AgeSlider} value=${wish.maxAge} inForce=${value('maxAge')} onInput=${set('maxAge')} />
      <div class="fields">
        ${LIMITS.map(([name, hint, example]) => html`<${Field} key=${name} label=${name} hint=${`${hint}. ${from(name)}`} placeholder=${value(name) || example} value=${wish[name]} fault=${faults[name]} onInput=${set(name)} />`)}
      </div>
      ${record && !file.includes('scope:') && html`<p class="warned">A policy has at least one rule. To inherit all, remove it on <a href=${to(['policies', scope])}>Policies</a>; the tide below is that of the policy in force.</p>`}
      ${problem && (!isFaulty || faults['']) && html`<${Fault} problem=${problem} />`}
      <details><summary>As YAML</summary><pre tabindex="0">${file}</pre></details>
    </${Card}>
    <${Redrawn} tide=${tide} planned=${planned} scope=${scope} range=${range} unit=${unit} />`;
};

export const WhatIf = ({ place }) => {
  const live = useLive(choices, [], 10000);
  const range = rangeOf(place.query.range || 'month');
  const unit = place.query.unit === 'bytes' ? 'bytes' : 'events';
  const actions = html`
    <${Choice} label="Time that is shown" value=${range} of=${Object.entries(RANGES).map(([key, { name }]) => [key, name])} onChange=${(key) => refine({ range: key })} />
    <${Choice} label="Unit" value=${unit} of=${[['events', 'Events'], ['bytes', 'Bytes']]} onChange=${(key) => refine({ unit: key })} />`;
  return html`
    <${Title} name="What if" actions=${actions}>Other limits, and what they would delete. Nothing changes until you apply them.</${Title}>
    <${Live} of=${live}>${({ records, names, biggest }) => {
      const all = place.query.scope && !names.includes(place.query.scope) ? [...names, place.query.scope] : names;
      const scope = place.query.scope || biggest || '*';
      return html`
        <div class="filters"><${Field} label="Scope" value=${scope} options=${all.map((name) => [name, scopeText(name)])} onInput=${(name) => refine({ scope: name })} /></div>
        <${Trial} key=${scope} scope=${scope} records=${records} range=${range} unit=${unit} />`;
    }}</${Live}>`;
};
