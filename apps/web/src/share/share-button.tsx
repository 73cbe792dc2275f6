import { shareButtonTexts } from '@goty/shared/result-texts';
import { useState } from 'react';
import { screenUrl, share } from './share.ts';

export interface SavedPicture {
  /** What to tell the visitor. */
  readonly message: string;
  /** The picture as a data URL, which the page shows: in frames and apps that save nothing, it can be held and kept. */
  readonly picture?: string;
}

const NO_PICTURE: SavedPicture = { message: shareButtonTexts.noPicture };

interface Props {
  readonly path: '/inicio' | '/goty';
  readonly text: string;
  /** Saves a picture, if there is one, while a press is handled: the picture has to come soon. */
  readonly save?: (() => Promise<SavedPicture>) | undefined;
}

/**
 * A button that shares a screen. Where it moves no button of the row, a text says if the address was copied, or shows it if nothing
 * else was possible. Without an address that others can open, there is no such button, but a picture can be saved.
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
