// Stacked bars over time, drawn by uPlot: what went beside what will go. Bars carry their names, so no legend is needed.
import uPlot from './uplot.js';
import { html, useEffect, useRef, useState } from './ui.js';
import { brief, bytes, plain, stretch, tickName } from './format.js';
import { distances, placed } from './labels.js';
import { clock, times } from './times.js';

const HEIGHT_REM = 22;
const LABEL_PX = 15;
const GAP_PX = 4;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = (rem) => `${rem * parseFloat(getComputedStyle(document.documentElement).fontSize)}px system-ui, sans-serif`;

/** Sums from the bottom up: uPlot draws each layer as a bar from zero, the tallest first. */
const stacked = (layers, length) => {
  const sums = [];
  const sum = new Array(length).fill(0);
  layers.forEach((layer) => {
    layer.values.forEach((value, i) => {
      sum[i] += value || 0;
    });
    sums.push(layer.values.map((value, i) => (value ? sum[i] : null)));
  });
  return sums;
};

/** So many times the tallest bar of the future may a bar of the past be tall; what is taller is cut, and says its value. */
const TALLEST = 4;

/** The height at which bars are cut, or null if none is: a scale of the past alone would hide what goes. */
const cutOf = (layers, length) => {
  const top = (of) => Array.from({ length }, (_, i) => layers.filter(of).reduce((sum, layer) => sum + (layer.values[i] || 0), 0));
  const ahead = Math.max(0, ...top((layer) => !layer.isPast));
  const all = top(() => true);
  return ahead > 0 && layers.some((layer) => layer.isPast) && Math.max(...all) > TALLEST * ahead ? { at: TALLEST * ahead, top: all } : null;
};

const MOST_PLACES = 6;

/** Boxes of the values of bars that are cut, at the top of each; a value without room is left out. */
const cutTexts = (u, cut, unit, ratio) =>
  cut.top.flatMap((sum, i) => {
    if (sum <= cut.at) {
      return [];
    }
    const name = `${unit === 'bytes' ? bytes(sum) : brief(sum)} ↑`;
    const width = u.ctx.measureText(name).width;
    const right = u.valToPos(u.data[0][i], 'x', true) - 6 * ratio;
    const left = right + 12 * ratio + width;
    const at = (edge) => ({ l: edge - width - GAP_PX * ratio, r: edge + GAP_PX * ratio, t: u.bbox.top, b: u.bbox.top + LABEL_PX * ratio });
    return [{ name, places: [at(right), at(left)] }];
  });

/** Boxes of the name of a layer: on its tallest parts, where they are tall enough. */
const nameTexts = (u, layers, sums, ratio, step) =>
  layers.flatMap((layer, k) => {
    const name = plain(layer.name);
    const width = u.ctx.measureText(name).width;
    const half = LABEL_PX * ratio * 0.55;
    const tallest = layer.values
      .map((value, i) => ({ value: value || 0, i }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value)
      .slice(0, MOST_PLACES);
    const places = tallest.flatMap(({ value, i }) => {
      const top = Math.max(u.bbox.top, u.valToPos(sums[k][i], 'y', true));
      const bottom = u.valToPos(sums[k][i] - value, 'y', true);
      if (bottom - top < LABEL_PX * ratio * 0.7) {
        return [];
      }
      const middle = u.valToPos(u.data[0][i], 'x', true) + step / 2;
      const y = (top + bottom) / 2;
      // A name near an edge stays inside.
      const left = Math.max(u.bbox.left + 4, Math.min(middle - width / 2, u.bbox.left + u.bbox.width - width - 8));
      return [{ l: left - 4, r: left + width + 4, t: y - half, b: y + half }];
    });
    return places.length > 0 && width <= u.bbox.width * 0.45 ? [{ name, places, halo: true, tallest: tallest[0].value }] : [];
  });

/** Writes values of bars that are cut, and the names of layers: no text on another, and none across the line of the present. */
const drawTexts = (u, layers, sums, cut, unit, now) => {
  const ctx = u.ctx;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${font(0.78 * ratio)}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = colour('--surface');
  ctx.fillStyle = colour('--ink');
  const step = Math.abs(u.valToPos(u.data[0][1] ?? u.data[0][0], 'x', true) - u.valToPos(u.data[0][0], 'x', true));
  const line = now === null ? null : u.valToPos(now / 1000, 'x', true);
  const taken = line === null ? [] : [{ l: line - 3 * ratio, r: line + 3 * ratio, t: -Infinity, b: Infinity }];
  const inside = { l: u.bbox.left, r: u.bbox.left + u.bbox.width, t: u.bbox.top - 1, b: u.bbox.top + u.bbox.height + 1 };
  const names = nameTexts(u, layers, sums, ratio, step).sort((a, b) => b.tallest - a.tallest);
  const wanted = [...(cut ? cutTexts(u, cut, unit, ratio) : []), ...names];
  placed(wanted, taken, inside).forEach((box, i) => {
    if (box) {
      const x = box.l + (wanted[i].halo ? 4 : GAP_PX * ratio);
      const y = (box.t + box.b) / 2;
      ctx.strokeText(wanted[i].name, x, y);
      ctx.fillText(wanted[i].name, x, y);
    }
  });
  ctx.restore();
};

/** The line of the present, and lines of limits. */
const drawLines = (u, now, limit, hasPast) => {
  const ctx = u.ctx;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${font(0.78 * ratio)}`;
  if (now !== null && now / 1000 >= u.scales.x.min && now / 1000 <= u.scales.x.max) {
    const x = Math.round(u.valToPos(now / 1000, 'x', true));
    ctx.strokeStyle = colour('--ink');
    ctx.lineWidth = 1.5 * ratio;
    ctx.beginPath();
    ctx.moveTo(x, u.bbox.top - 14 * ratio);
    ctx.lineTo(x, u.bbox.top + u.bbox.height);
    ctx.stroke();
    ctx.fillStyle = colour('--muted');
    ctx.textAlign = 'right';
    if (hasPast) {
      ctx.fillText('← gone', x - 8 * ratio, u.bbox.top - 6 * ratio);
    }
    ctx.textAlign = 'left';
    ctx.fillText('going →', x + 8 * ratio, u.bbox.top - 6 * ratio);
  }
  if (limit) {
    const y = Math.round(u.valToPos(limit.value, 'y', true));
    ctx.strokeStyle = colour('--danger');
    ctx.setLineDash([6 * ratio, 4 * ratio]);
    ctx.lineWidth = 1.5 * ratio;
    ctx.beginPath();
    ctx.moveTo(u.bbox.left, y);
    ctx.lineTo(u.bbox.left + u.bbox.width, y);
    ctx.stroke();
    ctx.fillStyle = colour('--danger');
    ctx.textAlign = 'right';
    ctx.fillText(limit.name, u.bbox.left + u.bbox.width - 4, y - 6 * ratio);
  }
  ctx.restore();
};

const options = (props, size, sums, handlers) => {
  const { layers, unit, now, limit } = props;
  const cut = cutOf(layers, props.buckets.length);
  const axis = { stroke: colour('--muted'), font: font(0.8), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    ...size,
    // The last mark of the axis is as wide as a day with its month.
    padding: [26, Math.round(1.9 * parseFloat(getComputedStyle(document.documentElement).fontSize)), 0, 0],
    legend: { show: false },
    // Marks lie on whole hours and days of the clock on the page.
    tzDate: (seconds) => clock(seconds * 1000),
    scales: {
      x: { range: () => [props.buckets[0].from / 1000, props.buckets[props.buckets.length - 1].to / 1000] },
      y: { range: (u, min, max) => [0, (cut ? cut.at : Math.max(max || 0, limit ? limit.value : 0)) * 1.08 || 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 76, values: (u, ticks, index, space, step) => ticks.map((tick) => tickName(tick * 1000, step)) },
      { ...axis, size: 64, incrs: distances(unit), values: (u, ticks) => ticks.map((tick) => (unit === 'bytes' ? bytes(tick) : brief(tick))) },
    ],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    series: [
      {},
      ...layers
        .map((layer) => ({
          label: layer.name,
          fill: colour(layer.colour),
          stroke: colour('--surface'),
          width: props.buckets.length > 90 ? 0 : 1,
          points: { show: false },
          paths: uPlot.paths.bars({ size: [0.94, Infinity], align: 1 }),
        }))
        .reverse(),
    ],
    hooks: {
      draw: [
        (u) => drawLines(u, now, limit, props.start > 0),
        (u) => drawTexts(u, layers, sums, cut, unit, now),
      ],
      setCursor: [(u) => handlers.hover(u.cursor.left >= 0 ? u.posToVal(u.cursor.left, 'x') * 1000 : null)],
      setSelect: [(u) => u.select.width > 2 && handlers.brush(u.posToVal(u.select.left, 'x') * 1000, u.posToVal(u.select.left + u.select.width, 'x') * 1000)],
    },
  };
};

const at = (buckets, ms) => {
  const found = buckets.findIndex((bucket) => ms >= bucket.from && ms < bucket.to);
  return found >= 0 ? found : ms < buckets[0].from ? 0 : buckets.length - 1;
};

/**
 * The plot. `buckets` are stretches of time, `layers` the parts of each bar from the bottom up: { name, colour, values },
 * null where a layer has nothing to say. `selected` is [first, last] bucket or null; `onSelect` is told of another one, by the
 * mouse or by the arrow keys.
 */
export const StackPlot = (props) => {
  const { buckets, layers, selected, onSelect, label, say } = props;
  const host = useRef(null);
  const plot = useRef(null);
  const latest = useRef(props);
  const [hover, setHover] = useState(null);
  const [scheme, setScheme] = useState(0);
  latest.current = props;

  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => setScheme((n) => n + 1);
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
  }, []);

  const shape = JSON.stringify([layers.map((layer) => [layer.name, layer.colour]), props.unit, buckets.length, props.limit?.value, times.get()]);
  const content = JSON.stringify([buckets[0].from, layers.map((layer) => layer.values)]);

  useEffect(() => {
    const sums = stacked(layers, buckets.length);
    const data = [buckets.map((bucket) => bucket.from / 1000), ...[...sums].reverse()];
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const size = () => ({ width: host.current.clientWidth, height: Math.round((props.height || HEIGHT_REM) * rem) });
    const handlers = {
      hover: (ms) => setHover(ms === null ? null : at(latest.current.buckets, ms)),
      brush: (from, to) => {
        const all = latest.current.buckets;
        latest.current.onSelect?.([at(all, from), at(all, to - 1)]);
      },
    };
    plot.current = new uPlot(options(props, size(), sums, handlers), data, host.current);
    const watch = new ResizeObserver(() => plot.current.setSize(size()));
    watch.observe(host.current);
    return () => {
      watch.disconnect();
      plot.current.destroy();
    };
  }, [shape, content, scheme]);

  useEffect(() => {
    const u = plot.current;
    if (!selected) {
      u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      return;
    }
    const left = u.valToPos(buckets[selected[0]].from / 1000, 'x');
    const right = u.valToPos(buckets[selected[1]].to / 1000, 'x');
    u.setSelect({ left, top: 0, width: right - left, height: u.over.clientHeight }, false);
  }, [selected?.[0], selected?.[1], shape, content, scheme]);

  const onKey = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') {
      onSelect?.(null);
    } else if (event.key === 'Home' || event.key === 'End') {
      const end = event.key === 'Home' ? 0 : buckets.length - 1;
      onSelect?.([end, end]);
    } else if (step) {
      const present = selected || [props.start ?? 0, props.start ?? 0];
      const moved = Math.max(0, Math.min(buckets.length - 1, selected ? present[1] + step : present[1]));
      onSelect?.(event.shiftKey ? [Math.min(present[0], moved), Math.max(present[0], moved)] : [moved, moved]);
    } else {
      return;
    }
    event.preventDefault();
  };

  // Another stretch of time may have fewer bars than the one that was pointed at.
  const shown = hover !== null && hover < buckets.length ? [hover, hover] : selected;
  return html`
    <figure>
      <div class="plot" tabindex="0" role="application" aria-roledescription="plot" aria-label=${`${label} Arrow keys go from bar to bar, with shift they select several, escape selects none.`} onKeyDown=${onKey} ref=${host}></div>
      <figcaption class="readout">${say(shown)}</figcaption>
      <span class="hidden" aria-live="polite">${selected ? text(buckets, layers, selected, props.unit) : ''}</span>
    </figure>`;
};

/** What the buckets of a selection hold, as one text. */
const text = (buckets, layers, [first, last], unit) => {
  const parts = layers
    .map((layer) => [layer.name, layer.values.slice(first, last + 1).reduce((sum, value) => sum + (value || 0), 0)])
    .filter(([, sum]) => sum > 0)
    .map(([name, sum]) => `${plain(name)} ${unit === 'bytes' ? bytes(sum) : brief(sum)}`);
  return `${stretch(buckets[first].from, buckets[last].to)}: ${parts.join(', ') || 'nothing'}`;
};
