import { isCoverUrl } from '@goty/shared/cover-url';
import { type ComponentProps, useState } from 'react';
import styles from './cover.module.css';

interface Props {
  /** The game's colour, which is shown where there is no cover. */
  readonly color: string;
  readonly src: string | undefined;
}

/** A game's cover in a ring of its colour, as large as its container. Decorative. */
export function Cover({ color, src }: Props) {
  return (
    <span className={styles.cover} style={{ color }}>
      <CoverImage src={src} />
    </span>
  );
}

/** The cover alone; nothing if there is none or it does not load. */
export function CoverImage({ src, ...attributes }: ComponentProps<'img'>) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (src === undefined || src === failedSrc || !isCoverUrl(src)) return null;
  return <img {...attributes} src={src} alt="" onError={() => setFailedSrc(src)} />;
}
