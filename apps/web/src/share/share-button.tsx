import { shareButtonTexts } from '@goty/shared/result-texts';
import { useState } from 'react';
import { screenUrl, share } from './share.ts';

export interface SavedPicture {
  readonly message: string;
  /** The picture is a data URL: in frames and apps that save no downloads, visitors can hold and keep it. */
  readonly picture?: string;
}

const NO_PICTURE: SavedPicture = { message: shareButtonTexts.noPicture };

interface Props {
  readonly path: '/inicio' | '/goty';
  readonly text: string;
  /** Saves a picture of the result, soon: browsers let a page open the share sheet only for some seconds after a press. */
  readonly save?: (() => Promise<SavedPicture>) | undefined;
}

/** The text about sharing stands where it moves no button. Without an address that others can open, there is no share button. */
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
