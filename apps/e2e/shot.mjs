import { chromium } from '@playwright/test';
const [,, url, out, w=1440, h=900, scheme='dark'] = process.argv;
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-background-networking','--disable-component-update','--disable-sync','--no-first-run'] });
const p = await b.newPage({ viewport: { width: +w, height: +h }, colorScheme: scheme });
p.on('console', m => console.log(m.type(), m.text())); p.on('pageerror', e => console.log('ERR', e));
await p.goto(url); await p.waitForTimeout(2500);
console.log(await p.locator('header').innerHTML());
await p.screenshot({ path: out }); await b.close();
