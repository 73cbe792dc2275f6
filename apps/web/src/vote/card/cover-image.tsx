import { isCoverUrl } from '@goty/shared/cover-url';
import { useEffect, useRef, useState } from 'react';
import styles from './cover-image.module.css';
import { initialsOf } from './initials.ts';

interface Props {
  /** The name of the game. */
  readonly name: string;
  readonly src: string;
  readonly isLazy: boolean;
}

/** A game's cover in a fixed frame, which has the game's initials until it is loaded. Decorative. */
export function CoverImage({ name, src, isLazy }: Props) {
  const [loadedSrc, setLoadedSrc] = useState<string>();
  const [failedSrc, setFailedSrc] = useState<string>();
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // In a first card, the image may have loaded or failed before React came (first-cards.ts), so
    // its event is over.
    if (!image.current?.complete) return;
    image.current.decode().then(
      () => setLoadedSrc(src),
      () => setFailedSrc(src),
    );
  }, [src]);
  return (
    <div className={styles.frame} data-initials={initialsOf(name)}>
      {failedSrc !== src && isCoverUrl(src) && (
        <img
          ref={image}
          className={loadedSrc === src ? styles.loaded : undefined}
          src={src}
          alt=""
          loading={isLazy ? 'lazy' : 'eager'}
          onLoad={() => setLoadedSrc(src)}
          onError={() => setFailedSrc(src)}
        />
      )}
    </div>
  );
}
