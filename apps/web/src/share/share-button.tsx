import { shareButtonTexts } from '@goty/shared/result-texts';
import { useState } from 'react';
import { screenUrl, share } from './share.ts';

export interface SavedPicture {
  /** What to tell the visitor. */
  readonly message: string;
  /**
   * The picture as a data URL. The page shows it, so that in frames and apps that save no downloads, visitors can hold and keep
   * it.
   */
  readonly picture?: string;
}

const NO_PICTURE: SavedPicture = { message: shareButtonTexts.noPicture };

interface Props {
  readonly path: '/inicio' | '/goty';
  readonly text: string;
  /**
   * Saves a picture of what is shared, if there can be one. Called while a press is handled. Browsers let a page open the share
   * sheet only for some seconds after a press, so the picture has to come soon.
   */
  readonly save?: (() => Promise<SavedPicture>) | undefined;
}

/**
 * A button that shares a screen and, with `save`, one that saves a picture. A text says that the address was copied, or shows the
 * address if the browser can neither share nor copy it. The text stands where it moves no button of the row. Without an address
 * that others can open, there is no button to share.
 */
export function ShareButton({ path, text, save }: Props) {
  const url = screenUrl(path);
  const [outcome, setOutcome] = useState<SavedPicture>({ message: '' });
  if (url === undefined && !save) return null;
  return (
    <>
      {url !== undefined && (
        <button
          type="button"
          className="button quiet"
          onClick={async () => setOutcome({ message: await share(text, url) })}
        >
          {shareButtonTexts.share}
        </button>
      )}
      {save && (
        <button
          type="button"
          className="button quiet"
          onClick={async () => setOutcome(await save().catch(() => NO_PICTURE))}
        >
          {shareButtonTexts.picture}
        </button>
      )}
      <p className="shared" role="status">
        {outcome.message}
      </p>
      {save && outcome.picture && <img className="picture" src={outcome.picture} alt={text} />}
    </>
  );
}
