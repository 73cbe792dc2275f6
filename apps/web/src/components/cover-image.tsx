import { useState } from 'react';
import styles from './cover-image.module.css';

interface Props {
  readonly src: string;
  readonly alt: string;
}

/** A game's cover in a frame of fixed proportions; a drawn one where it does not load. */
export function CoverImage({ src, alt }: Props) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (failedSrc === src) {
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
      width="640"
      height="360"
      onError={() => setFailedSrc(src)}
    />
  );
}
