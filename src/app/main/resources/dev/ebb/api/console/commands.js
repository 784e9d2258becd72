// Commands that delete: first what they would do, then exactly that.
import { html } from './ui.js';
import { ask } from './rest.js';
import { to } from './router.js';
import { bytes, count } from './format.js';
import { Name } from './parts.js';
import { question } from './dialogs.js';

/** Shows what a deleting command would do, and then carries out exactly that. */
export const planned = async ({ title, method, where, query = {}, verb, danger = true, extra }) => {
  const dry = await ask(method, where, { query: { ...query, dryRun: true } });
  question({
    title,
    body: html`
      ${dry.wouldDelete > 0
        ? html`<p class="lead"><b>${count(dry.wouldDelete, 'event')}</b> (${bytes(dry.wouldDeleteBytes)}) would go, and nothing else: what comes in the meantime stays.</p>`
        : html`<p>Nothing would go${dry.detail ? html`: <${Name} text=${dry.detail} />` : '.'}</p>`}
      ${Object.entries(dry.streamsSkipped || {}).map(([reason, n]) => html`<p class="warned">${count(n, 'stream')} would be left out: ${reason.toLowerCase().replaceAll('_', ' ')}</p>`)}
      ${extra}`,
    verb,
    danger,
    action: ({ reason, actor }) => ask(method, where, { query: { ...query, plan: dry.plan?.planId, reason, actor, wait: '30s' } }),
    done: (answer, by) => html`<p>${answer.state === 'DONE' ? html`<b>${count(answer.eventsDeleted, 'event')}</b> went${by ? html`, by <${Name} text=${by} />` : ''}.` : html`It is ${answer.state.toLowerCase()}: <${Name} text=${answer.detail} />`}</p>
      <p class="muted">Command <code>${answer.commandId}</code>; the <a href=${to(['audit'], { sweep: answer.commandId })}>audit</a> keeps it.</p>`,
  });
};

/** Runs a question that first asks the server; what fails is said. */
export const tried = (work, say) => () => work().catch((problem) => say(problem));
