import type { Chart, Plugin } from 'chart.js';

/**
 * The Chart.js plugin for a page with CSS zoom. Chart.js takes the zoomed size on the screen for
 * the size in the chart's own layout.
 */
export const zoom: Plugin<'bar'> = {
  id: 'zoom',
  resize(chart, { size }) {
    const container = chart.canvas.parentElement;
    if (!container) return;
    const style = getComputedStyle(container);
    const width = Math.floor(Number.parseFloat(style.width));
    const height = Math.floor(Number.parseFloat(style.height));
    // An element that is not shown has neither.
    const isShown = width > 0 && height > 0;
    if (isShown && (size.width !== width || size.height !== height)) chart.resize(width, height);
  },
  beforeEvent(chart, args) {
    const at = args.replay ? undefined : position(chart, args.event.native);
    if (!at) return;
    Object.assign(args.event, at);
    args.inChartArea = chart.isPointInArea(at);
  },
};

/** Where the chart is pointed at, in the pixels of its own layout. */
function position({ canvas, width, height }: Chart, event: Event | null) {
  const point = event && 'touches' in event ? touched(event.touches) : event;
  if (!(point && 'clientX' in point && 'clientY' in point)) return undefined;
  const box = canvas.getBoundingClientRect();
  return {
    x: ((Number(point.clientX) - box.left) * width) / box.width,
    y: ((Number(point.clientY) - box.top) * height) / box.height,
  };
}

function touched(touches: unknown): Touch | undefined {
  return touches instanceof TouchList ? touches[0] : undefined;
}
