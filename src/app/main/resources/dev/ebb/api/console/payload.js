// A payload as JSON, text or hex.
const WIDTH = 16;
const encoder = new TextEncoder();

/** The payload of an event as REST sends it: JSON as such, a text, or bytes in base64. */
export const payloadOf = (event) => {
  if (event.payloadBase64 !== undefined) {
    return { bytes: Uint8Array.from(atob(event.payloadBase64), (sign) => sign.charCodeAt(0)) };
  }
  return typeof event.payload === 'string' ? { text: event.payload } : { json: event.payload };
};

const bytesOf = ({ bytes, text, json }) => bytes || encoder.encode(text ?? JSON.stringify(json));

export const asText = (payload) => {
  if (payload.bytes) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(payload.bytes);
    } catch {
      return null;
    }
  }
  return payload.text ?? JSON.stringify(payload.json);
};

export const asJson = (payload) => {
  if (payload.json !== undefined) {
    return JSON.stringify(payload.json, null, 2);
  }
  try {
    return JSON.stringify(JSON.parse(asText(payload)), null, 2);
  } catch {
    return null;
  }
};

const hex = (value, length) => value.toString(16).padStart(length, '0');

export const asHex = (payload) => {
  const all = bytesOf(payload);
  const lines = [];
  for (let at = 0; at < all.length; at += WIDTH) {
    const row = [...all.slice(at, at + WIDTH)];
    const signs = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${hex(at, 6)}  ${row.map((byte) => hex(byte, 2)).join(' ').padEnd(WIDTH * 3 - 1)}  ${signs}`);
  }
  return lines.join('\n');
};
