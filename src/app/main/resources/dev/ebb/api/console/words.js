// What the application says in its own terms, in sentences.
export const CAUSES = {
  MAX_AGE: 'too old',
  TTL: 'own TTL passed',
  MAX_COUNT: 'over maxCount',
  MAX_BYTES: 'over maxBytes',
  DELETE: 'deleted by name',
  PURGE: 'purged',
  PRUNE: 'pruned',
  ERASE: 'erased',
  EMPTY_SOURCE: 'removed with its source',
  SOURCE_DELETED: 'gone from its source',
};

/** Colours of causes: greys for policies, rust for what a person did. */
export const CAUSE_COLOURS = {
  MAX_AGE: '--p1',
  TTL: '--p2',
  MAX_COUNT: '--p3',
  MAX_BYTES: '--p4',
  DELETE: '--p-person',
  PURGE: '--p-person',
  PRUNE: '--p-person',
  ERASE: '--p-person',
  EMPTY_SOURCE: '--p-person',
  SOURCE_DELETED: '--p-person',
};

export const cause = (name) => CAUSES[name] || String(name).toLowerCase().replaceAll('_', ' ');

/** What the audit tells of besides deletes. */
export const ACTIONS = {
  POLICY_SET: 'policy set',
  POLICY_REMOVED: 'policy removed',
  HOLD_PLACED: 'hold placed',
  HOLD_RELEASED: 'hold released',
  SOURCE_SET: 'source set',
  SOURCE_REMOVED: 'source removed',
  CONFIRMED: 'change confirmed',
  RESTORE: 'brought back',
  DONE: 'command done',
  ERASED: 'erased',
  MIRROR_REPAIRED: 'SQL repaired',
  USAGE_REPAIRED: 'figures repaired',
  LOG_RAISED: 'start of a log moved',
  SOURCE_RESET: 'source read from another place',
  ROWS_REMOVED: 'rows removed from SQL',
};

export const action = (name) => (name === 'DELETE' ? 'deleted' : ACTIONS[name]) || String(name).toLowerCase().replaceAll('_', ' ');

/** What becomes of an event that does not go by age or its own TTL. */
export const FATES = {
  held: 'held',
  protected: 'protected: in progress',
  guarded: 'guarded: among the last',
  infinite: 'kept for ever',
  kept: 'kept: its policy only warns',
  never: 'never by age',
};

const BLOCKS = {
  HOLD: 'A hold covers it',
  PROTECTED: 'It is protected',
  GUARD: 'A guard keeps it',
  INFINITE: 'It is kept for ever',
  WARN: 'Its policy only warns',
  WINDOW: 'Sweeps wait for their window',
  SWEEPER: 'Sweeps are stopped',
};

export const block = (what) => BLOCKS[what] || String(what).toLowerCase();

/** Why an event stays or goes: parts of a sentence; a time is an object, for it is shown as one. */
export const verdict = (explanation, event) => {
  const decision = explanation.event;
  const maxAge = explanation.policy.maxAge;
  const own = event && (event.ttlSeconds || event.expiresAt);
  const by = own ? 'then its own TTL has passed' : `then it is older than maxAge ${maxAge.value}, which ${scope(maxAge.scope)} says`;
  if (decision.decision === 'REMOVE') {
    const says = decision.scope && decision.scope !== 'event' ? `, by the policy of ${scope(decision.scope)}` : '';
    return { goes: true, text: [`It goes with the next sweep: ${cause(decision.reason)}${says}.`] };
  }
  if (decision.reason === 'LIVE') {
    return decision.due
      ? { goes: false, text: ['It stays until ', { at: decision.due }, `: ${by}.`] }
      : { goes: false, text: ['It stays: no limit of age applies to it, and its stream is within its caps.'] };
  }
  const why = {
    HELD: 'a hold covers its stream. Releasing the hold lets its policy decide again.',
    NOTICE: 'an undo has brought back events of its stream, and gives notice before its policy decides again.',
    PROTECTED: 'its work is still in progress. It can go once its status is a terminal one.',
    GUARDED: 'minAge or keepLast of its policy keeps it.',
    INFINITE: 'its producer asked for it to be kept for ever, and the policy allows that.',
  }[decision.reason];
  const tail = decision.due ? [' Without that it would go after ', { at: decision.due }, '.'] : [];
  return { goes: false, text: [`It stays: ${why || decision.reason}`, ...tail] };
};

/** A scope as people say it. */
export const scope = (text) => {
  if (text === '*') {
    return 'all streams (*)';
  }
  const colon = text.indexOf(':');
  return colon < 0 ? text : `${text.slice(0, colon)} ${text.slice(colon + 1)}`;
};

/** Fields of a policy, in the order in which they are shown. */
export const FIELDS = [
  ['maxAge', 'Age above which events go', '30d or unlimited'],
  ['maxCount', 'Most events that a stream keeps', '1000 or unlimited'],
  ['maxBytes', 'Most bytes that a stream keeps', '1048576 or unlimited'],
  ['keepLast', 'The newest that always stay', '5 or none'],
  ['minAge', 'Age below which events always stay', '1h or none'],
  ['anchor', 'Time from which age counts', ['stored', 'occurred', 'completed']],
  ['mode', 'What sweeps do', ['enforce', 'warn']],
  ['minTtl', 'Lower bound for TTLs of producers', '10s or none'],
  ['maxTtl', 'Upper bound for TTLs of producers', '90d or none'],
  ['allowInfiniteTtl', 'Producers may keep events for ever', ['true', 'false']],
  ['interval', 'Time between two sweeps', '5s'],
  ['window', 'Times at which sweeps run', '22:00-06:00 Europe/Berlin or none'],
  ['warnBefore', 'Report what expires within', '24h or none'],
  ['archive', 'Write events to the archive first', ['true', 'false']],
  ['undo', 'Time in which a delete can be undone', '24h or none'],
  ['mirror', 'Rows of events in SQL', ['all', 'none']],
  ['pattern', 'Pattern that a namespace inherits from', 'cache, session, timeseries …'],
];
