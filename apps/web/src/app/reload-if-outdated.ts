/** Where the build that has reloaded itself is remembered, so that it does so only once. */
const KEY = 'goty-reloaded';

/**
 * Reloads the page if another build is deployed by now: the chunks of this one are gone (SPEC W30).
 * To be called when a chunk cannot be loaded.
 *
 * @param settled resolves when a reload would lose nothing
 */
export async function reloadIfOutdated(settled: () => Promise<void>) {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!script || !(await isOutdated(script))) return;
  await settled();
  // Without a memory it could become a loop.
  if (mark(script)) window.location.reload();
}

/** Whether the HTML at this address names another script. Not known without a connection. */
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
