// tests/report/page_test.mjs — a page in a real browser: it draws, answers, filters, asks nobody.
//
// usage: node page_test.mjs SITE_PAGE COMPARE_PAGE LARGE_PAGE [SCREENSHOT_FOLDER]
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '../../build/web/');
const { chromium } = createRequire(web)('playwright-core');
const [small, compared, large, shots] = process.argv.slice(2).map((path) => resolve(path));
const kSecondsToOpen = 3; // of a page of 100,000 jobs; a loaded machine is given five times as much

let claims = 0;
function claim(holds, text) {
  claims += 1;
  if (!holds) throw new Error(`does not hold: ${text}`);
}

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
if (!program) throw new Error('no chromium: scripts/dev setup installs it');
const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});

/** Opens a page, waits until all is drawn; fails where it complains or asks a host. */
async function open(path, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints = [], requests = [];
  page.on('console', (message) => {
    const known = /Dropping "fit-y" because spec has discrete height/; // Vega-Lite says so of every chart as wide as the page
    if (['error', 'warning'].includes(message.type()) && !known.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const url = pathToFileURL(path).href;
  page.on('request', (request) => request.url() !== url && !request.url().startsWith('data:') && requests.push(request.url()));
  const began = performance.now();
  await page.goto(url);
  await page.waitForSelector('html[data-drawn=yes]', { timeout: 60000 });
  const seconds = (performance.now() - began) / 1000;
  return { page, complaints, requests, seconds };
}

/** What every page must keep to. */
async function check_page({ page, complaints, requests }, charts, panels = {}) {
  claim(complaints.length === 0, `no complaint on the console: ${complaints}`);
  claim(requests.length === 0, `no request to anybody: ${requests}`);
  for (const id of charts) {
    const count = panels[id] ?? 1;
    claim(await page.locator(`#${id} .chart[data-drawn=yes] svg`).count() === count, `chart ${id} is drawn ${count} times`);
    claim(await page.locator(`#${id} .chart[aria-label], #${id} .chart [aria-label^="A: "], #${id} .chart [aria-label^="B: "]`).count() >= count, `chart ${id} says what can be seen`);
    claim(await page.locator(`#${id} details table tbody tr`).count() > 0, `chart ${id} has its numbers as a table`);
  }
}

async function check_small() {
  const opened = await open(small);
  const { page } = opened;
  await check_page(opened, ['calibration-waits', 'wait-curves', 'waits-by-group', 'reasons', 'gpu-hours', 'gpus-over-time',
    'jobs-over-time', 'node-map', 'day']);
  const text = await page.locator('main').innerText();
  for (const word of ['Open replay', 'not simulated and may change results: ', 'SHA-256', 'rehearse run', 'How long do jobs wait?', 'Are the GPUs used?',
    'Why did they wait?', 'Who waits longest?', 'Can I trust it?']) claim(text.includes(word), `the page says '${word}'`);
  claim(await page.locator('text=<script>alert(1)</script>').count() > 0, 'a name that is a script stays text');
  claim(await page.evaluate('window.broken') === undefined, 'no name became a script');
  await page.locator('#waits-by-group select[data-filter=scope]').scrollIntoViewIfNeeded();
  await page.locator('#waits-by-group .chart path[aria-roledescription=bar]').first().hover();
  await page.waitForSelector('#vg-tooltip-element.visible');
  claim(/wait/.test(await page.locator('#vg-tooltip-element').innerText()), 'a bar tells its wait');
  const bars = () => page.locator('#waits-by-group .chart path[aria-roledescription=bar]').count();
  const rows = () => page.locator('#waits-by-group tbody tr:not([hidden])').count();
  await page.locator('#waits-by-group details summary').click();
  const [bars_before, rows_before] = [await bars(), await rows()];
  await page.selectOption('#waits-by-group select[data-filter=scope]', 'size');
  await page.waitForTimeout(200);
  claim(await bars() !== bars_before && await rows() !== rows_before, `another scope shows other bars and rows (${bars_before})`);
  await page.selectOption('#wait-curves select[data-filter=scope]', 'account');
  const groups = await page.locator('#wait-curves select[data-filter=group] option').allInnerTexts();
  claim(groups.length > 1 && !groups.includes('all jobs'), `a scope offers its groups alone: ${groups}`);
  await page.locator('#reasons details summary').focus();
  await page.keyboard.press('Enter');
  claim(await page.locator('#reasons-table').isVisible(), 'a table opens by keyboard');
  await page.close();
  const widest = await open(small, { viewport: { width: 420, height: 900 } });
  claim(await widest.page.evaluate('document.documentElement.scrollWidth <= innerWidth + 1'), 'nothing is wider than a telephone');
  await widest.page.close();
}

async function check_compared() {
  const opened = await open(compared);
  const { page } = opened;
  const beside = ['reasons', 'gpus-over-time', 'node-map', 'day'];
  await check_page(opened, ['winners', 'wait-curves', 'waits-by-group', 'gpu-hours', 'jobs-over-time', ...beside],
    Object.fromEntries(beside.map((id) => [id, 2])));
  const boxes = (id) => page.locator(`#${id} .chart svg`).evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ x, y, width }) => ({ x, y, width })));
  const labels = (id, k) => page.locator(`#${id} .chart svg`).nth(k).locator('.role-axis-label text').allTextContents();
  for (const id of beside) {
    const [a, b] = await boxes(id);
    claim(a.y === b.y && a.x + a.width <= b.x + 1, `A stands beside B in ${id}`);
    claim(String(await labels(id, 0)) === String(await labels(id, 1)) && (await labels(id, 0)).length > 3, `the axes of A and B are the same in ${id}`);
    const marks = await page.locator(`#${id} .chart svg .mark-group .role-mark path`).evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().x))
      - Math.min(...all.map((each) => each.getBoundingClientRect().x)));
    claim(marks > 200, `what is drawn in ${id} spreads over the axes`);
  }
  const text = await page.locator('main').innerText();
  for (const word of ['Do jobs wait longer under B?', 'Who is harmed most?', 'Who gains most?', 'Are the GPUs used?', 'Why do they wait?', 'Can I trust it?',
    ' pp', 'idle, in all', 'while jobs arrived']) claim(text.includes(word), `the comparison says '${word}'`);
  claim(!/rehears(al|als)\b/i.test(text), 'no word that only we know');
  for (const id of ['wait-curves', 'waits-by-group']) {
    claim(/symlog/.test(await page.locator(`#${id} .chart svg`).innerHTML()), `the axis of ${id} says that it is not linear`);
  }
  const narrow = await open(compared, { viewport: { width: 420, height: 900 } });
  claim(await narrow.page.evaluate('document.documentElement.scrollWidth <= innerWidth + 1'), 'A stands above B on a telephone');
  await narrow.page.close();
  claim(await opened.page.locator('#compared tbody tr').count() > 5, 'figures of both runs');
  await opened.page.close();
}

async function check_large() {
  const opened = await open(large);
  await check_page(opened, ['wait-curves', 'waits-by-group', 'node-map', 'day']);
  console.log(`100,000 jobs: open and drawn in ${opened.seconds.toFixed(2)} s (wanted: ${kSecondsToOpen} s)`);
  claim(opened.seconds < 5 * kSecondsToOpen, `opens within ${5 * kSecondsToOpen} s`);
  await opened.page.close();
}

async function take_shots(path, name) {
  for (const scheme of ['light', 'dark']) {
    const { page } = await open(path, { colorScheme: scheme });
    await page.screenshot({ path: join(shots, `${name}-${scheme}.png`) });
    await page.screenshot({ path: join(shots, `${name}-${scheme}-whole.png`), fullPage: true });
    if (scheme === 'light') await page.pdf({ path: join(shots, `${name}.pdf`), preferCSSPageSize: true, printBackground: true });
    await page.close();
  }
}

try {
  if (shots) {
    await take_shots(small, 'run');
    await take_shots(compared, 'compare');
  } else {
    await check_small();
    await check_compared();
    await check_large();
    console.log(`${claims} claims hold`);
  }
} finally {
  await browser.close();
}
