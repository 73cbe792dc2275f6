import type { StatusResponse } from '@goty/shared/game';
import { parseStatus } from '@goty/shared/parse';
import { API_PATHS, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { API_BASE } from '../base/api-base.ts';

/** `GET /status`. Rejects if the response is anything else. */
export async function fetchStatus(): Promise<StatusResponse> {
  const response = await fetch(`${API_BASE}${API_PATHS.status}`, {
    // Without this, Hosting's CDN would keep a copy for each visitor's cookie.
    credentials: 'omit',
    priority: 'low',
    signal: AbortSignal.timeout(PAGE_PATIENCE_MS),
  });
  const status = response.ok ? parseStatus(await response.json()) : undefined;
  if (!status) throw new Error(`no status, but ${response.status}`);
  return status;
}
