// Rows of a table, put in order and saved as a file of the reader.

/** Saves a text as a file. */
export const save = (name, type, text) => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

/** A cell of CSV. Spreadsheets would run a text that begins like a formula, so an apostrophe stands in front of it. */
const cell = (value) => {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The columns with a text of these rows as CSV, in UTF-8, with a line of heads. */
export const csv = (columns, rows) => {
  const shown = columns.filter((column) => column.text);
  return [shown.map((column) => cell(column.head)), ...rows.map((row) => shown.map((column) => cell(column.text(row))))].map((line) => `${line.join(',')}\r\n`).join('');
};

/** The rows in the order of a column; numbers by size, other values as texts, missing ones last. */
export const sorted = (rows, column, isDown) => {
  if (!column) {
    return rows;
  }
  const value = (row) => column.text(row);
  const isMissing = (one) => one === null || one === undefined || one === '';
  const compare = (one, other) =>
    isMissing(one) || isMissing(other)
      ? Number(isMissing(one)) - Number(isMissing(other))
      : (isDown ? -1 : 1) * (typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other)));
  return [...rows].sort((a, b) => compare(value(a), value(b)));
};
