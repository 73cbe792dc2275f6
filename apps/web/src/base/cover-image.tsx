import { isCoverUrl } from '@goty/shared/nominee';
import { type ComponentProps, useEffect, useRef, useState } from 'react';

type Props = ComponentProps<'img'> & { readonly hasCopy?: boolean };

/** A cover is decorative: screen readers say nothing of it. If there is no cover, or it does not load, nothing is rendered. */
export function CoverImage({ src, hasCopy, ...attributes }: Props) {
  const [known, setKnown] = useState<{ src: string | undefined; isLoaded: boolean }>();
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // In a first card, React misses an event of an image that has loaded or failed before (first-cards.ts). `decode` tells which.
    if (!image.current?.complete) return;
    image.current.decode().then(
      () => setKnown({ src, isLoaded: true }),
      () => setKnown({ src, isLoaded: false }),
    );
  }, [src]);
  const isLoaded = known?.src === src ? known?.isLoaded : undefined;
  if (src === undefined || isLoaded === false || !isCoverUrl(src)) return null;
  return (
    <>
      {hasCopy && isLoaded && <img data-loaded src={src} alt="" />}
      <img
        {...attributes}
        ref={image}
        data-loaded={isLoaded}
        src={src}
        alt=""
        onLoad={() => setKnown({ src, isLoaded: true })}
        onError={() => setKnown({ src, isLoaded: false })}
      />
    </>
  );
}
