import { useEffect, useReducer } from 'react';

const FRESH_MS = 60_000;
const CANONICAL = 'link[rel="canonical"]';
const SITE = 'meta[property="og:site_name"]';

/** A screen in a hall stays open while the operator sets PUBLIC_URL, or while the server's machine gets another address. */
export function useFreshAddresses() {
  const [, render] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => void refresh().then(render, () => {}), FRESH_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Loads the page's HTML again, and copies address and name from it into the document. Rejects without a connection. */
async function refresh() {
  const html = await (await fetch(location.pathname)).text();
  const fresh = new DOMParser().parseFromString(html, 'text/html');
  const address = fresh.querySelector(CANONICAL)?.getAttribute('href');
  // A captive portal answers with a page of its own, which has no such address, and changes nothing here.
  if (!address?.endsWith(location.pathname)) return;
  document.querySelector(CANONICAL)?.setAttribute('href', address);
  const name = fresh.querySelector(SITE)?.getAttribute('content') ?? '';
  document.querySelector(SITE)?.setAttribute('content', name);
}
