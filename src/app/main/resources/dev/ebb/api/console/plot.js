// Stacked bars over time, drawn by uPlot: what went beside what will go. Bars carry their names, so no legend is needed.
import uPlot from './uplot.js';
import { html, useEffect, useRef, useState } from './ui.js';
import { brief, bytes, plain, stretch, tickName } from './format.js';

const HEIGHT_REM = 22;
const LABEL_PX = 15;

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

/** The height at which bars are cut, or null if none is. */
const cutOf = (sums, start) => {
  const top = sums.length ? sums[0].map((sum, i) => Math.max(0, ...sums.map((layer) => layer[i] || 0))) : [];
  const tallest = (from, end) => Math.max(0, ...top.slice(from, end));
  const ahead = tallest(start + 1);
  return start > 0 && ahead > 0 && tallest(0, start + 1) > TALLEST * ahead ? { at: TALLEST * ahead, top } : null;
};

const drawCut = (u, cut, unit) => {
  const ctx = u.ctx;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${font(0.78 * ratio)}`;
  ctx.textAlign = 'right';
  ctx.fillStyle = colour('--ink');
  cut.top.forEach((sum, i) => {
    if (sum > cut.at) {
      ctx.fillText(`${unit === 'bytes' ? bytes(sum) : brief(sum)} ↑`, u.valToPos(u.data[0][i], 'x', true) - 6 * ratio, u.bbox.top + 12 * ratio);
    }
  });
  ctx.restore();
};

/** Writes the name of each layer on its tallest part, where there is room. */
const drawNames = (u, layers, sums) => {
  const ctx = u.ctx;
  const ratio = devicePixelRatio;
  const taken = [];
  const surface = colour('--surface');
  ctx.save();
  ctx.font = `600 ${font(0.78 * ratio)}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.lineJoin = 'round';
  const step = Math.abs(u.valToPos(u.data[0][1] ?? u.data[0][0], 'x', true) - u.valToPos(u.data[0][0], 'x', true));
  layers.forEach((layer, k) => {
    let best = -1;
    layer.values.forEach((value, i) => {
      if (value && (best < 0 || value > layer.values[best])) {
        best = i;
      }
    });
    if (best < 0) {
      return;
    }
    const top = Math.max(u.bbox.top, u.valToPos(sums[k][best], 'y', true));
    const bottom = u.valToPos(sums[k][best] - layer.values[best], 'y', true);
    const name = plain(layer.name);
    const width = ctx.measureText(name).width;
    if (bottom - top < LABEL_PX * ratio * 0.7 || width > u.bbox.width * 0.45) {
      return;
    }
    const middle = u.valToPos(u.data[0][best], 'x', true) + step / 2;
    const left = Math.max(u.bbox.left + 4, Math.min(middle - width / 2, u.bbox.left + u.bbox.width - width - 4));
    const box = { l: left - 4, r: left + width + 4, t: (top + bottom) / 2 - LABEL_PX * ratio * 0.55, b: (top + bottom) / 2 + LABEL_PX * ratio * 0.55 };
    if (taken.some((other) => box.l < other.r && box.r > other.l && box.t < other.b && box.b > other.t)) {
      return;
    }
    taken.push(box);
    ctx.strokeStyle = surface;
    ctx.lineWidth = 4 * ratio;
    ctx.strokeText(name, left, (top + bottom) / 2);
    ctx.fillStyle = colour('--ink');
    ctx.fillText(name, left, (top + bottom) / 2);
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
  const cut = cutOf(sums, props.start || 0);
  const axis = { stroke: colour('--muted'), font: font(0.8), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    ...size,
    // The last mark of the axis is as wide as a day with its month.
    padding: [26, Math.round(1.9 * parseFloat(getComputedStyle(document.documentElement).fontSize)), 0, 0],
    legend: { show: false },
    scales: {
      x: { range: () => [props.buckets[0].from / 1000, props.buckets[props.buckets.length - 1].to / 1000] },
      y: { range: (u, min, max) => [0, (cut ? cut.at : Math.max(max || 0, limit ? limit.value : 0)) * 1.08 || 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 76, values: (u, ticks, index, space, step) => ticks.map((tick) => tickName(tick * 1000, step)) },
      { ...axis, size: 64, values: (u, ticks) => ticks.map((tick) => (unit === 'bytes' ? bytes(tick) : tick === Math.round(tick) ? brief(tick) : '')) },
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
        (u) => drawNames(u, layers, sums),
        (u) => cut && drawCut(u, cut, unit),
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

  const shape = JSON.stringify([layers.map((layer) => [layer.name, layer.colour]), props.unit, buckets.length, props.limit?.value]);
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

  const shown = hover !== null ? [hover, hover] : selected;
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
