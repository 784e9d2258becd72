// The library of views, as the other files know it.
import { h, render, Fragment } from './preact.js';
import htm from './htm.js';

export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from './preact-hooks.js';
export const html = htm.bind(h);
export { render, Fragment };
