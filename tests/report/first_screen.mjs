// tests/report/first_screen.mjs — the first screen of a page as a picture.
//
// usage: node first_screen.mjs PAGE PICTURE.png
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { chromium } = createRequire(join(dirname(fileURLToPath(import.meta.url)), '../../build/web/'))('playwright-core');
const [page_path, picture] = process.argv.slice(2).map((path) => resolve(path));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 880 }, colorScheme: 'light' });
await page.goto(pathToFileURL(page_path).href);
await page.waitForSelector('html[data-drawn=yes]');
await page.screenshot({ path: picture });
await browser.close();
