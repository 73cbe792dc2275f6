import { shareButtonTexts } from '@goty/shared/result-texts';
import { useState } from 'react';
import { screenUrl, share } from './share.ts';

interface Props {
  readonly path: '/inicio' | '/goty';
  readonly text: string;
}

/**
 * A button that shares a screen. Where it moves no button of the row, a text says if the address was copied, or
 * shows it if nothing else was possible. There is none without an address that others can open.
 */
export function ShareButton({ path, text }: Props) {
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
      <p className="shared" role="status">
        {outcome}
      </p>
    </>
  );
}
