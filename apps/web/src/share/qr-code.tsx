import { shareButtonTexts } from '@goty/shared/result-texts';
import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo } from 'react';
import { screenUrl } from './share.ts';

/** The border that scanners need, in modules: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/** The address of the voting page, if others can open it. */
export function QrCode() {
  const url = screenUrl('/goty');
  const code = useMemo(() => {
    if (url === undefined) return undefined;
    // M: 15 % of it may be lost to a lamp's reflection or a head in the way.
    const code = generate(url, { minCorrectionLevel: correction.M });
    return { label: shareButtonTexts.qrCode(url), path: toSvgPath(code), size: code.size };
  }, [url]);
  if (!code) return null;
  const width = code.size + 2 * QUIET_ZONE;
  return (
    <svg
      role="img"
      aria-label={code.label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      shapeRendering="crispEdges"
    >
      {/* Dark on light in both themes: not every scanner reads it inverted. */}
      <path fill="#fff" d={`M${-QUIET_ZONE} ${-QUIET_ZONE}h${width}v${width}h-${width}z`} />
      <path fill="#000" d={code.path} />
    </svg>
  );
}
