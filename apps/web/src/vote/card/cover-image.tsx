import { isCoverUrl } from '@goty/shared/cover-url';
import { useState } from 'react';
import styles from './cover-image.module.css';

interface Props {
  readonly src: string;
  readonly alt: string;
  readonly isLazy: boolean;
}

/** A game's cover in a fixed aspect ratio, or a placeholder if it does not load. */
export function CoverImage({ src, alt, isLazy }: Props) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (failedSrc === src || !isCoverUrl(src)) {
    return (
      <div className={styles.placeholder} role="img" aria-label={alt}>
        <img src="/trophy.svg" alt="" width="64" height="64" />
      </div>
    );
  }
  return (
    <img
      className={styles.cover}
      src={src}
      alt={alt}
      loading={isLazy ? 'lazy' : 'eager'}
      // Synchronous where it replaces the same cover in the prerendered HTML, to avoid a flash.
      decoding={isLazy ? 'async' : 'sync'}
      onError={() => setFailedSrc(src)}
    />
  );
}
