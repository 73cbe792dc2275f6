import { voteTexts } from '@goty/shared/vote-texts';
import { useState } from 'react';
import { type ShareOutcome, share, votingUrl } from './share.ts';
import styles from './share-button.module.css';

interface Props {
  /** The sentence that goes with the address. */
  readonly text: string;
}

/** Shares the voting page, and says below the button if it was copied, or could only be read. */
export function ShareButton({ text }: Props) {
  const [outcome, setOutcome] = useState<ShareOutcome>();
  return (
    <div className={styles.share}>
      <button
        type="button"
        className="button quiet"
        onClick={async () => setOutcome(await share(text))}
      >
        {voteTexts.share}
      </button>
      <p className={styles.outcome} role="status">
        {outcome === 'copied' && voteTexts.copied}
        {outcome === 'impossible' && voteTexts.copyThis(votingUrl())}
      </p>
    </div>
  );
}
