// Colours of namespaces: each keeps its own, whatever else is shown beside it and after a reload.
const KEPT = 'ebb.colours';
const MOST_KEPT = 500;

/** The palette of namespaces. */
export const COLOURS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];

const start = (name) => [...name].reduce((hash, sign) => (hash * 31 + sign.codePointAt(0)) >>> 0, 7) % COLOURS.length;

const read = () => {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEPT) || '[]'));
  } catch {
    return new Map();
  }
};

/**
 * The colours of names that are shown together, at most as many as there are colours: the one that a name had before, or
 * else a free one. `kept` has the places of earlier names and gets those of new ones.
 */
export const coloursOf = (names, kept) => {
  const used = new Set();
  const found = new Map();
  const take = (name, index) => {
    used.add(index);
    found.set(name, COLOURS[index]);
  };
  const sorted = [...names].sort();
  sorted.filter((name) => kept.has(name) && !used.has(kept.get(name))).forEach((name) => !used.has(kept.get(name)) && take(name, kept.get(name)));
  sorted
    .filter((name) => !found.has(name))
    .forEach((name) => {
      let index = kept.get(name) ?? start(name);
      for (let i = 0; i < COLOURS.length && used.has(index); i++) {
        index = (index + 1) % COLOURS.length;
      }
      take(name, index);
      if (!kept.has(name)) {
        kept.set(name, index);
      }
    });
  return found;
};

const memory = read();

/** The colours of names on this browser. */
export const colours = (names) => {
  const before = memory.size;
  const found = coloursOf(names, memory);
  if (memory.size > before) {
    localStorage.setItem(KEPT, JSON.stringify([...memory].slice(-MOST_KEPT)));
  }
  return found;
};
