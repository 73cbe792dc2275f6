import { voteTexts } from '@goty/shared/vote-texts';
import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo } from 'react';
import { screenUrl } from './share.ts';

/** The border that scanners need, in modules: ISO/IEC 18004. */
const QUIET_ZONE = 4;

export function QrCode({ className }: { readonly className?: string }) {
  const url = screenUrl('/goty');
  const { path, size } = useMemo(() => {
    // M: 15 % of it may be lost to a lamp's reflection or a head in the way.
    const code = generate(url, { minCorrectionLevel: correction.M });
    return { path: toSvgPath(code), size: code.size };
  }, [url]);
  const width = size + 2 * QUIET_ZONE;
  return (
    <svg
      className={className}
      role="img"
      aria-label={voteTexts.qrCode(url)}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      shapeRendering="crispEdges"
    >
      {/* Dark on light in both themes: not every scanner reads it inverted. */}
      <path fill="#fff" d={`M${-QUIET_ZONE} ${-QUIET_ZONE}h${width}v${width}h-${width}z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
