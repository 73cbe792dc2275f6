/** Where a build is remembered that has reloaded itself, so that it does so only once. */
const KEY = 'goty-reloaded';

/**
 * Reloads the page if another build has been deployed, because then the chunks of this one are gone
 * (SPEC W30). Call this when a chunk cannot be loaded.
 *
 * @param settled resolves when a reload would lose nothing
 */
export async function reloadIfOutdated(settled: () => Promise<void>) {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!script || !(await isOutdated(script))) return;
  await settled();
  // Without a memory, the page could reload itself forever.
  if (mark(script)) window.location.reload();
}

/** Whether the HTML at this address names another script; `false` without a connection. */
async function isOutdated(script: string): Promise<boolean> {
  try {
    const response = await fetch(window.location.pathname, { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
}

/** Returns whether the build was not yet marked, and is now. */
function mark(script: string): boolean {
  try {
    if (sessionStorage.getItem(KEY) === script) return false;
    sessionStorage.setItem(KEY, script);
    return true;
  } catch {
    return false;
  }
}
