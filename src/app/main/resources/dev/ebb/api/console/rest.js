// Requests to REST, as the caller whose token was entered. The token stays in this tab and is never part of a URL.
const TOKEN = 'ebb.token';
const ACTOR = 'ebb.actor';

let me = null;
let refused = () => {};

/** A request that did not succeed; `problems` are its single faults. */
export class Problem extends Error {
  constructor(status, title, detail, problems) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.problems = problems || [];
  }
}

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (value) => sessionStorage.setItem(TOKEN, value),
  forget: () => {
    sessionStorage.removeItem(TOKEN);
    me = null;
  },
};

/** Name of the user where the instance asks for no tokens. */
export const actor = {
  get: () => me?.name ?? localStorage.getItem(ACTOR) ?? '',
  set: (value) => localStorage.setItem(ACTOR, value),
  isKnown: () => me?.name != null,
};

/** Calls back when a token is asked for or is refused. */
export const onRefused = (callback) => {
  refused = callback;
};

/** A name as one segment of a path. Browsers take a dot or two for steps to another path, so a '~' stands in front of them. */
const segment = (name) => encodeURIComponent(/^~*\.{1,2}$/.test(name) ? `~${name}` : name);

/** A path with names in it, each as one segment. */
export const path = (strings, ...names) => strings.reduce((all, part, i) => all + part + (i < names.length ? segment(names[i]) : ''), '');

/** Parameters that are moments. Milliseconds are written as a time, since a bare number has no unit. */
const MOMENTS = new Set(['from', 'to', 'due-from', 'due-to']);
const written = (name, value) => (MOMENTS.has(name) && /^\d+$/.test(value) ? new Date(Number(value)).toISOString() : value);

const address = (where, query) => {
  const params = new URLSearchParams();
  Object.entries(query || {}).forEach(([name, value]) => {
    if (Array.isArray(value)) {
      value.forEach((one) => params.append(name, one));
    } else if (value !== undefined && value !== null && value !== '' && value !== false) {
      params.set(name, written(name, value));
    }
  });
  const text = params.toString();
  return text ? `${where}?${text}` : where;
};

const headers = (more) => {
  const all = { Accept: 'application/json', ...more };
  const secret = token.get();
  return secret ? { ...all, Authorization: `Bearer ${secret}` } : all;
};

/** The raw answer of a request. */
export const open = async (method, where, { query, body, yaml, signal, accept } = {}) => {
  const content = yaml !== undefined ? yaml : body === undefined ? undefined : JSON.stringify(body);
  const type = yaml !== undefined ? 'application/yaml' : 'application/json';
  const sent = headers({ ...(content === undefined ? {} : { 'Content-Type': type }), ...(accept ? { Accept: accept } : {}) });
  let answer;
  try {
    answer = await fetch(address(where, query), { method, headers: sent, body: content, signal, cache: 'no-store' });
  } catch (e) {
    if (e.name === 'AbortError') {
      throw e;
    }
    throw new Problem(0, 'No answer', 'The instance does not answer. It is tried again; another instance has the same page.');
  }
  if (answer.ok) {
    return answer;
  }
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401) {
    refused(problem.detail);
  }
  throw new Problem(answer.status, problem.title || `Status ${answer.status}`, problem.detail, problem.problems);
};

/** The JSON of a request. */
export const ask = async (method, where, options) => (await open(method, where, options)).json();
export const get = (where, query, signal) => ask('GET', where, { query, signal });

/** Asks who the caller is, once the token is there. */
export const identify = async () => {
  me = await get('/v1/me');
  return me;
};

/** True if the caller may use that route of this instance, such as 'GET /v1/streams/{stream}'. */
export const may = (route) => me !== null && me.routes.includes(route);
export const caller = () => me;
