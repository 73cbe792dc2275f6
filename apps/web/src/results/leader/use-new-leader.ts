import { useEffect, useRef, useState } from 'react';

const SHOWN_MS = 4_000;
/** In a close race the lead changes so often that saying it each time would say nothing. */
const MIN_INTERVAL_MS = 8_000;

/**
 * Whether to say that the lead has just changed (SPEC W110). A tie in between does not count as a change.
 *
 * @param leader the id of the only game in the lead, if there is one
 */
export function useNewLeader(leader: string | undefined): boolean {
  const [isNew, setIsNew] = useState(false);
  const last = useRef({ leader, saidAt: Number.NEGATIVE_INFINITY });

  useEffect(() => {
    if (leader === undefined || leader === last.current.leader) return;
    const isChange = last.current.leader !== undefined;
    last.current.leader = leader;
    const now = performance.now();
    if (!isChange || now - last.current.saidAt < MIN_INTERVAL_MS) return;
    last.current.saidAt = now;
    setIsNew(true);
  }, [leader]);

  useEffect(() => {
    if (!isNew) return;
    const timer = setTimeout(() => setIsNew(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isNew]);

  return isNew;
}
