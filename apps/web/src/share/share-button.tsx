import { shareButtonTexts } from '@goty/shared/result-texts';
import { useState } from 'react';
import { screenUrl, share, sharePicture } from './share.ts';

interface Props {
  readonly path: '/inicio' | '/goty';
  readonly text: string;
  /** Draws a picture that can be shared, too. */
  readonly draw?: (() => Promise<Blob>) | undefined;
}

/**
 * A button that shares a screen. Where it moves no button of the row, a text says if the address was copied, or
 * shows it if nothing else was possible. There is none without an address that others can open.
 */
export function ShareButton({ path, text, draw }: Props) {
  const url = screenUrl(path);
  const [outcome, setOutcome] = useState('');
  if (url === undefined) return null;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        onClick={async () => setOutcome(await share(text, url))}
      >
        {shareButtonTexts.share}
      </button>
      {draw && (
        <button
          type="button"
          className="button quiet"
          onClick={async () => setOutcome(await sharePicture(draw, text, url))}
        >
          {shareButtonTexts.picture}
        </button>
      )}
      <p className="shared" role="status">
        {outcome}
      </p>
    </>
  );
}
