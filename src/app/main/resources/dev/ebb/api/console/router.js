// Places of the console, behind the # of the address: nothing of them is sent to a server.
import { useEffect, useState } from './ui.js';

/** The place that the address names: its parts, and what follows them. */
export const read = () => {
  const [where, query] = location.hash.replace(/^#\/?/, '').split('?');
  const parts = where.split('/').filter(Boolean).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { parts: parts.length ? parts : ['tide'], query: Object.fromEntries(new URLSearchParams(query || '')) };
};

/** The address of a place. */
export const to = (parts, query) => {
  const kept = Object.entries(query || {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const tail = new URLSearchParams(kept).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${tail ? `?${tail}` : ''}`;
};

export const go = (parts, query) => {
  location.hash = to(parts, query);
};

/** Changes what follows the place, without a step to go back to. */
export const refine = (more) => {
  const now = read();
  history.replaceState(null, '', to(now.parts, { ...now.query, ...more }));
  dispatchEvent(new HashChangeEvent('hashchange'));
};

export const usePlace = () => {
  const [place, setPlace] = useState(read);
  useEffect(() => {
    const changed = () => setPlace(read());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return place;
};
