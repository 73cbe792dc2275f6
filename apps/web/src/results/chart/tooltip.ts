import type { ChartTheme } from './chart-theme.ts';

/** The tooltip in the page's style. Chart.js draws it on the canvas, so it stays inside. */
export function tooltipStyle({
  fontFamily,
  fontSize,
  line,
  strongText,
  text,
  tooltip,
}: ChartTheme) {
  return {
    backgroundColor: tooltip,
    borderColor: line,
    borderWidth: 1,
    bodyColor: text,
    bodyFont: { family: fontFamily, size: fontSize },
    caretSize: 0,
    cornerRadius: 8,
    displayColors: false,
    padding: 12,
    titleColor: strongText,
    titleFont: { family: fontFamily, size: fontSize, weight: 700 },
  };
}
