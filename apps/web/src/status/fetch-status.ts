import type { StatusResponse } from '@goty/shared/game';
import { parseStatus } from '@goty/shared/parse';
import { API_PATHS, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { API_BASE } from '../base/api-base.ts';

/** `GET /status`. Rejects if the response is anything else. */
export async function fetchStatus(): Promise<StatusResponse> {
  const response = await fetch(`${API_BASE}${API_PATHS.status}`, {
    // Hosting keeps a copy for each value of the visitor's cookie.
    credentials: 'omit',
    priority: 'low',
    signal: AbortSignal.timeout(PAGE_PATIENCE_MS),
  });
  const status = response.ok ? parseStatus(await response.json()) : undefined;
  if (!status) throw new Error(`no status, but ${response.status}`);
  return status;
}
