// Policies as text of a file, and what the server finds wrong with it.
import { withoutUnseen } from './format.js';

const PLAIN = /^[A-Za-z0-9_./-]+$/;
const WORDS = /^(true|false|yes|no|on|off|null|none|y|n)$/i;

/** In quotes, with signs that are not seen by their numbers: the file is read by people. */
const quoted = (text) => withoutUnseen(JSON.stringify(text), (sign) => `\\U${sign.codePointAt(0).toString(16).padStart(8, '0')}`);

const scalar = (value) => {
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  return PLAIN.test(value) && !WORDS.test(value) && !/^[\d.+-]+$/.test(value) ? value : quoted(value);
};

/** A file of one policy, as YAML; one without any rule is no policy. */
export const fileOf = (policy) => {
  const { scope, ...fields } = policy;
  const rules = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  if (rules.length === 0) {
    return 'policies: []\n';
  }
  const lines = rules.map(([name, value]) => `    ${name}: ${scalar(value)}`);
  return ['policies:', `  - scope: ${quoted(scope)}`, ...lines, ''].join('\n');
};

/** The value of a field from the text of its input; numbers and truths are not texts. */
export const valueOf = (name, text) => {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') {
    return trimmed === 'true';
  }
  return ['maxCount', 'maxBytes', 'keepLast'].includes(name) && /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
};

/** The faults of a refused file by field; what belongs to no field stands under ''. */
export const faultsOf = (problem, fields) => {
  const faults = {};
  (problem?.problems || []).forEach(({ where, message }) => {
    const field = fields.find((name) => where === name || where.endsWith(`, ${name}`)) || '';
    faults[field] = faults[field] ? `${faults[field]}; ${message}` : message;
  });
  return faults;
};

/** Only what the policy of a scope sets itself, without author and reason of its last change. */
export const ownFields = (policy) => {
  const { scope, updatedBy, reason, confirmed, ...own } = policy || {};
  return own;
};
