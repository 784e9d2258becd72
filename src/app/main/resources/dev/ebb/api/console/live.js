// Data that keeps itself fresh: asked for again when the instance has news, else every few seconds, never in a hidden tab.
import { useCallback, useEffect, useRef, useState } from './ui.js';
import { may, open } from './rest.js';

const EVERY_MS = 2000;
const SLOWEST_MS = 15000;
const listeners = new Set();

const news = () => listeners.forEach((listener) => listener());

/** Follows the events of the instance; they say that something has changed, and each screen asks for what it shows. */
const follow = async (signal) => {
  const answer = await open('GET', '/v1/updates', { signal, accept: 'text/event-stream' });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    if (value.includes('data:')) {
      news();
    }
  }
};

let following = null;
const stopFollowing = () => {
  following?.abort();
  following = null;
};

const startFollowing = async () => {
  if (following || document.hidden || !may('GET /v1/updates')) {
    return;
  }
  const own = new AbortController();
  following = own;
  let wait = EVERY_MS;
  try {
    await follow(own.signal);
  } catch {
    // Polling goes on without it, also where the instance has no place for one more listener.
    wait = SLOWEST_MS;
  }
  if (following === own) {
    following = null;
    setTimeout(startFollowing, wait);
  }
};

/** Begins to listen, once the caller is known; what it returns ends it. */
export const listen = () => {
  const seen = () => (document.hidden ? stopFollowing() : startFollowing());
  seen();
  document.addEventListener('visibilitychange', seen);
  return () => {
    document.removeEventListener('visibilitychange', seen);
    stopFollowing();
  };
};

/**
 * What `load(signal)` answers, and again and again while the tab is seen. While it is asked for anew, and when that fails, the
 * former answer stays. `every` is the time between two answers in milliseconds; 0 asks once for each change of `deps`. News
 * of the instance bring a new answer sooner, unless `isSteady`.
 */
export const useLive = (load, deps, every = EVERY_MS, isSteady = false) => {
  const [state, setState] = useState({ data: null, problem: null, loading: true, stale: false });
  const loader = useRef(load);
  loader.current = load;
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((n) => n + 1), []);

  useEffect(() => {
    const control = new AbortController();
    let timer = null;
    let failures = 0;
    let running = false;
    let changed = false;
    let isLoaded = false;
    let last = 0;
    const later = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(run, ms);
    };
    const run = async () => {
      if (running || document.hidden || control.signal.aborted) {
        return;
      }
      running = true;
      changed = false;
      try {
        const data = await loader.current(control.signal);
        isLoaded = true;
        failures = 0;
        setState({ data, problem: null, loading: false, stale: false });
      } catch (problem) {
        if (control.signal.aborted) {
          return;
        }
        failures++;
        setState((before) => ({ data: before.data, problem, loading: false, stale: before.data !== null }));
      } finally {
        running = false;
        last = Date.now();
      }
      if (every > 0) {
        later(changed ? EVERY_MS : Math.min(SLOWEST_MS, every * 2 ** Math.min(failures, 3)));
      }
    };
    const onNews = () => {
      changed = true;
      if (every > 0 && !running) {
        later(Math.max(0, EVERY_MS - (Date.now() - last)));
      }
    };
    // What is asked for once was not asked for yet in a tab that was opened behind another one.
    const onVisible = () => !document.hidden && (every > 0 || !isLoaded) && run();
    setState((before) => ({ ...before, loading: true }));
    if (!isSteady) {
      listeners.add(onNews);
    }
    document.addEventListener('visibilitychange', onVisible);
    run();
    return () => {
      control.abort();
      clearTimeout(timer);
      listeners.delete(onNews);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [...deps, round, every]);

  return { ...state, again };
};

/**
 * A list that is read page by page. `load(after, signal)` answers { rows, next, … }; the first page keeps itself fresh for as
 * long as it is the only one, since what has been read on would move away under the reader otherwise.
 */
export const usePages = (load, deps, keyOf, every) => {
  const key = JSON.stringify(deps);
  const [read, setRead] = useState(null);
  const [state, setState] = useState({ busy: false, problem: null });
  const own = read?.key === key ? read : null;
  const live = useLive((signal) => load(undefined, signal), deps, own ? 0 : every);
  const latest = useRef(key);
  latest.current = key;
  // A question that is asked again begins with what is new.
  useEffect(() => () => setRead(null), [key]);
  const shown = own || live.data;
  const more = async () => {
    if (live.loading && !own) {
      return;
    }
    setState({ busy: true, problem: null });
    try {
      const page = await load(shown.next);
      const known = new Set(shown.rows.map(keyOf));
      const rows = [...shown.rows, ...page.rows.filter((row) => !known.has(keyOf(row)))];
      if (latest.current === key) {
        setRead({ ...page, rows, key });
      }
      setState({ busy: false, problem: null });
    } catch (problem) {
      setState({ busy: false, problem });
    }
  };
  return { ...live, data: shown, more, newest: own ? () => setRead(null) : null, busy: state.busy, moreProblem: state.problem };
};

/** A search that ends a page after a moment, for what it looks for is rare, goes on for a few pages by itself. */
export const searchOn = async (load, after, enough = 10, most = 8) => {
  let page = await load(after);
  let rows = page.rows;
  for (let i = 1; i < most && page.next && rows.length < enough; i++) {
    page = await load(page.next);
    rows = [...rows, ...page.rows];
  }
  return { ...page, rows };
};
