// Commands that delete: first what they would do, then exactly that.
import { html } from './ui.js';
import { Problem, ask, caller, get, may, path } from './rest.js';
import { to } from './router.js';
import { bytes, count } from './format.js';
import { Name, Time } from './parts.js';
import { question, tell } from './dialogs.js';

const asked = new Set();

/** Asks the server for what a question needs, unless that is under way: a second click is no second question. */
export const once = async (what, work) => {
  if (asked.has(what)) {
    return;
  }
  asked.add(what);
  try {
    await work();
  } finally {
    asked.delete(what);
  }
};

const PAUSE_MS = 500;
const PATIENCE_MS = 5 * 60 * 1000;
const NOT_KNOWN_YET = [404, 503];

/** The answer of a command that is done: the first one may come before that, without any counts. */
export const finished = async (first) => {
  const until = Date.now() + PATIENCE_MS;
  let answer = first;
  if (answer.state === 'RUNNING') {
    tell('It is still being counted; the question comes when that is done.');
  }
  while (answer.state === 'RUNNING') {
    if (Date.now() > until) {
      throw new Problem(0, 'Still being counted', `The command ${answer.commandId} has not ended after five minutes. It changes nothing; try again later.`);
    }
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    try {
      answer = await get(path`/v1/commands/${answer.commandId}`, { wait: '10s' });
    } catch (problem) {
      if (!NOT_KNOWN_YET.includes(problem.status)) {
        throw problem;
      }
    }
  }
  if (answer.state !== 'DONE') {
    throw new Problem(0, 'Refused', answer.detail);
  }
  return answer;
};

/**
 * The events that went or, in a dry run, would go, and those that only mode warn of their policy keeps, which wouldDelete counts too. The
 * answer to a command that still runs may have no outcome.
 */
export const outlookOf = ({ outcome }) => ({
  events: (outcome?.eventsDeleted || 0) + (outcome?.wouldDelete || 0) - (outcome?.keptByWarn || 0),
  bytes: (outcome?.bytesDeleted || 0) + (outcome?.wouldDeleteBytes || 0) - (outcome?.keptByWarnBytes || 0),
  kept: outcome?.keptByWarn || 0,
});

/** True if a plan has something to carry out: an erasure may find copies alone, of events that had gone before. */
const hasSomething = (dry, isFinal) => outlookOf(dry).events > 0 || (isFinal && dry.plan?.events > 0);

/** The plan goes to another person, by its address or its id. */
const HandOver = ({ plan }) => html`
  <div class="note"><strong>Another person carries it out</strong>
    <span>You made this plan, and two people are needed. It is good until <${Time} at=${plan.expiresAt} />.</span>
    <span><a href=${to(['erase'], { plan: plan.planId })}>Its address</a>, plan <code>${plan.planId}</code></span>
  </div>`;

const Outlook = ({ dry, plan, extra, isFinal, isForAnother }) => {
  const { events, bytes: size, kept } = outlookOf(dry);
  return html`
  ${events > 0
    ? html`<p class="lead"><b>${count(events, 'event')}</b> (${bytes(size)}) would go, and nothing else: what comes in the meantime stays.</p>`
    : html`<p>${hasSomething(dry, isFinal) ? 'No stored event would go' : 'Nothing would go'}${dry.detail ? html`. <${Name} text=${dry.detail} />.` : '.'}</p>`}
  ${kept > 0 && html`<p>${count(kept, 'more event')} ${kept === 1 ? 'is' : 'are'} due and stay${kept === 1 ? 's' : ''}: their policies only warn (mode warn).</p>`}
  ${Object.entries(dry.outcome?.streamsSkipped || {}).map(([reason, n]) => html`<p class="warned">${count(n, 'stream')} would be left out: ${reason.toLowerCase().replaceAll('_', ' ')}</p>`)}
  ${events > 0 && dry.detail && html`<p class="muted"><${Name} text=${dry.detail} />.</p>`}
  ${dry.plan?.madeBy && html`<p class="muted">Planned by <${Name} text=${dry.plan.madeBy} />, as of <${Time} at=${dry.plan.sweepPoint} />.</p>`}
  ${isForAnother && hasSomething(dry, isFinal) && html`<${HandOver} plan=${dry.plan} />`}
  ${plan && hasSomething(dry, isFinal) ? extra : events > 0 && html`<p class="warned">There is no plan of it that could be carried out.</p>`}`;
};

/** The dry run of that id: a plan that is there, for a command of that kind. */
const madeBefore = async (plan, kind) => {
  const dry = await finished(await get(path`/v1/commands/${plan}`, { wait: '10s' }));
  if (dry.verb !== kind || !dry.plan || !dry.dryRun) {
    throw new Problem(0, 'No such plan', `${plan} is not the plan of a command of the kind ${kind}.`);
  }
  return dry;
};

/**
 * Shows what a deleting command would do, and then carries out exactly that: without a plan nothing can be confirmed.
 *
 * `made` is the id of a plan that is there already, for a command of that `kind`. What is final goes to another person where two people
 * are needed.
 */
export const planned = ({ title, method, where, query = {}, body: sent, verb, danger = true, isFinal = false, extra, made, kind }) =>
  once(`${method} ${where}`, async () => {
    tell('Counting what would go …');
    const dry = made ? await madeBefore(made, kind) : await finished(await ask(method, where, { query: { ...query, dryRun: true }, body: sent }));
    const plan = dry.plan?.planId;
    const me = caller();
    const isForAnother = isFinal && me.secondPerson && dry.plan?.madeBy === me.name;
    question({
      title,
      body: html`<${Outlook} dry=${dry} plan=${plan} extra=${extra} isFinal=${isFinal} isForAnother=${isForAnother} />`,
      verb: plan && hasSomething(dry, isFinal) && !isForAnother && verb,
      danger,
      action: ({ reason, actor }) => ask(method, where, { query: { ...query, plan, reason, actor, wait: '30s' }, body: sent }),
      done: (answer, by) => html`<p>${answer.state === 'DONE' ? html`<b>${count(outlookOf(answer).events, 'event')}</b> went${by ? html`, by <${Name} text=${by} />` : ''}.${isFinal && answer.detail ? html` <${Name} text=${answer.detail} />.` : ''}` : html`It is ${answer.state.toLowerCase()}: <${Name} text=${answer.detail || 'it goes on by itself'} />`}</p>
        <p class="muted">Command <code>${answer.commandId}</code>; the <a href=${to(['audit'], { sweep: answer.commandId })}>audit</a> keeps it.${!isFinal && outlookOf(answer).events > 0 && may('POST /v1/undo') ? html` <a href=${to(['undo'])}>Undo</a> brings it back for as long as its policy allows.` : ''}</p>`,
    });
  });

/** Runs a question that first asks the server; what fails is said. */
export const tried = (work, say) => async () => {
  try {
    await work();
  } catch (problem) {
    say(problem);
  }
};
