import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useMemo } from 'react';

/** The border that scanners need, in modules: ISO/IEC 18004. */
const QUIET_ZONE = 4;

export function QrCode({ url, label }: { readonly url: string; readonly label: string }) {
  const code = useMemo(() => {
    // At level M, 15 % of the code may be lost to a lamp's reflection or a head in the way.
    const code = generate(url, { minCorrectionLevel: correction.M });
    return { path: toSvgPath(code), size: code.size };
  }, [url]);
  const width = code.size + 2 * QUIET_ZONE;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      shapeRendering="crispEdges"
    >
      {/* The code is dark on light in both themes, because not every scanner reads an inverted code. */}
      <path fill="#fff" d={`M${-QUIET_ZONE} ${-QUIET_ZONE}h${width}v${width}h-${width}z`} />
      <path fill="#000" d={code.path} />
    </svg>
  );
}
