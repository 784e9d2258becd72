// Scopes, the policy that is in force for them, and where each field of it comes from.
import { get, path } from './rest.js';

// No stream has this name: what is in force for it comes from wider scopes alone.
const NO_STREAM = 'console.asks.for.the.policy';

const kindOf = (scope) => (scope === '*' ? '*' : scope.slice(0, scope.indexOf(':')));
export const nameOf = (scope) => (scope === '*' ? '*' : scope.slice(scope.indexOf(':') + 1));

const stream = (scope) => {
  switch (kindOf(scope)) {
    case 'stream':
      return nameOf(scope);
    case 'namespace':
      return `${nameOf(scope)}/${NO_STREAM}`;
    default:
      return `${NO_STREAM}/${NO_STREAM}`;
  }
};

/** Each field in force for a scope, as { value, scope, version }. */
export const effective = async (scope, records, signal) => {
  const fields = await get(path`/v1/streams/${stream(scope)}/policy`, {}, signal);
  if (kindOf(scope) === 'pattern') {
    // Built-in fields first, so that those of the record win.
    records
      .filter((record) => record.scope === scope)
      .sort((a, b) => Number(b.builtIn) - Number(a.builtIn))
      .forEach((record) =>
        Object.entries(record.policy).forEach(([name, value]) => {
          if (fields[name]) {
            fields[name] = { value, scope, version: record.version };
          }
        }),
      );
  }
  return fields;
};

/** The namespace of a stream: what stands before the first '/'. */
const namespaceOfStream = (name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'default');

/** The namespace in which a scope lies; undefined if it reaches over several. */
export const namespaceOf = (scope) => {
  switch (kindOf(scope)) {
    case 'stream':
      return namespaceOfStream(nameOf(scope));
    case 'namespace':
      return nameOf(scope);
    default:
      return undefined;
  }
};

/** All scopes as a tree: patterns below *, namespaces below their pattern, streams below their namespace. */
export const treeOf = (records, names) => {
  const nodes = new Map();
  const node = (scope) => {
    if (!nodes.has(scope)) {
      nodes.set(scope, { scope, record: null, builtIn: null, children: [] });
    }
    return nodes.get(scope);
  };
  const root = node('*');
  records.forEach((record) => {
    node(record.scope)[record.builtIn ? 'builtIn' : 'record'] = record;
  });
  names.forEach((name) => node(`namespace:${name}`));
  [...nodes.values()].filter(({ scope }) => kindOf(scope) === 'stream').forEach(({ scope }) => node(`namespace:${namespaceOf(scope)}`));
  nodes.forEach((one) => {
    if (one === root) {
      return;
    }
    const kind = kindOf(one.scope);
    const pattern = one.record?.policy.pattern;
    const parent = kind === 'stream' ? `namespace:${namespaceOf(one.scope)}` : kind === 'namespace' && pattern && nodes.has(`pattern:${pattern}`) ? `pattern:${pattern}` : '*';
    nodes.get(parent).children.push(one);
  });
  const order = { namespace: 0, stream: 1, pattern: 2 };
  nodes.forEach((one) => one.children.sort((a, b) => order[kindOf(a.scope)] - order[kindOf(b.scope)] || (a.scope < b.scope ? -1 : 1)));
  return root;
};

const FIRST = ['maxAge', 'maxCount', 'maxBytes', 'keepLast', 'minAge', 'mode', 'pattern', 'enabled'];
const NO_RULES = ['scope', 'updatedBy', 'reason', 'confirmed'];

/** The rules that a policy sets, in a few words: the limits first. */
export const summary = (policy) => {
  const shown = [...new Set([...FIRST, ...Object.keys(policy)])].filter((name) => (policy[name] ?? null) !== null && !NO_RULES.includes(name));
  return shown.slice(0, 3).map((name) => `${name} ${policy[name]}`).join(', ') + (shown.length > 3 ? ' …' : '');
};
