// Questions before something is changed, and short news after it.
import { Fragment, html, useLayoutEffect, useRef, useState } from './ui.js';
import { actor } from './rest.js';
import { Fault, Field, Name } from './parts.js';

let show = () => {};
let say = () => {};

/**
 * Asks before something is changed. `action({ reason, actor })` does it; what it answers, if anything, is shown until the
 * question is closed.
 *
 * question: { title, body, verb: none if there is nothing to do, danger, reason: false if none is kept,
 *   check: what must be agreed to, action, done }
 */
export const question = (what) => show(what);

/** Says that something was done; names in it are written by `plain`, for it is no markup. */
export const tell = (text) => say(text);

const Asked = ({ what, close }) => {
  const box = useRef(null);
  const [reason, setReason] = useState('');
  const [name, setName] = useState(actor.get());
  const [agreed, setAgreed] = useState(false);
  const [state, setState] = useState({ busy: false, problem: null, result: null });
  const needsReason = Boolean(what.verb) && what.reason !== false;
  const needsName = needsReason && !actor.isKnown();
  const isReady = (!needsReason || reason.trim()) && (!needsName || name.trim()) && (!what.check || agreed);

  // Before anything is painted: a key that is pressed next belongs to the question.
  useLayoutEffect(() => {
    box.current.showModal();
    box.current.querySelector('input, select, textarea, button')?.focus();
  }, []);

  const submit = async (event) => {
    event.preventDefault();
    if (state.busy || !isReady || !what.verb) {
      return;
    }
    setState({ busy: true, problem: null, result: null });
    if (needsName) {
      actor.set(name.trim());
    }
    try {
      const result = await what.action({ reason: reason.trim(), actor: name.trim() });
      dispatchEvent(new Event('ebb-done'));
      const shown = what.done ? what.done(result, name) : null;
      if (shown && typeof shown !== 'string') {
        setState({ busy: false, problem: null, result: shown });
      } else {
        tell(shown || 'Done.');
        box.current?.close();
      }
    } catch (problem) {
      setState({ busy: false, problem, result: null });
    }
  };

  return html`
    <dialog ref=${box} aria-labelledby="asked" onClose=${close} onCancel=${(event) => state.busy && event.preventDefault()}>
      <form onSubmit=${submit} onInput=${() => state.problem && setState({ ...state, problem: null })} onChange=${() => state.problem && setState({ ...state, problem: null })}>
        <h2 id="asked">${what.title}</h2>
        ${state.result
          ? html`<div role="status">${state.result}</div>
              <div class="actions"><button type="button" class="main" autofocus onClick=${() => box.current.close()}>Close</button></div>`
          : html`<${Fragment}>
              ${what.body}
              ${needsName && html`<${Field} label="Your name" hint="Kept in the audit. This instance asks for no token, so it cannot know." value=${name} onInput=${setName} required />`}
              ${needsReason && html`<${Field} label="Reason" hint="Kept in the audit, for those who ask later." value=${reason} onInput=${setReason} area required maxlength="1000" />`}
              ${what.check && html`<label class="check"><input type="checkbox" checked=${agreed} onChange=${(event) => setAgreed(event.target.checked)} /><span>${what.check}</span></label>`}
              <${Fault} problem=${state.problem} />
              ${actor.isKnown() && needsReason && html`<p class="small muted">Done as <${Name} text=${actor.get()} />.</p>`}
              <div class="actions">
                <button type="button" disabled=${state.busy} onClick=${() => box.current.close()}>${what.verb ? 'Cancel' : 'Close'}</button>
                ${what.verb && html`<button type="submit" class=${`main ${what.danger ? 'danger' : ''}`} disabled=${state.busy || !isReady}>${state.busy ? 'Working …' : what.verb}</button>`}
              </div>
            </${Fragment}>`}
      </form>
    </dialog>`;
};

/** The place of questions and news in the page. */
export const Dialogs = () => {
  const [asked, setAsked] = useState([]);
  const [news, setNews] = useState([]);
  // A question that comes late waits for the one that is open, and takes nothing away that was typed there.
  show = (one) => {
    setNews([]);
    setAsked((all) => [...all, { ...one, key: Math.random() }]);
  };
  const close = (closed) => setAsked((all) => all.filter((one) => one !== closed));
  const what = asked[0];
  say = (text) => {
    const one = { text, key: Math.random() };
    setNews((all) => [...all, one]);
    setTimeout(() => setNews((all) => all.filter((other) => other !== one)), 8000);
  };
  return html`
    ${what && html`<${Asked} key=${what.key} what=${what} close=${() => close(what)} />`}
    <div class="toasts" role="status" aria-live="polite">${news.map((one) => html`<div key=${one.key}>${one.text}</div>`)}</div>`;
};
