// sim/study/report/web/bundle.mjs — page.js and all that it is drawn with as one C++ source: the
// script, the style, and the notices of every package that is in it.
//
// usage: node bundle.mjs FOLDER_OF_NODE_MODULES OUTPUT.cpp
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [home, output] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(home, 'any.js'))('esbuild');

/** A C++ raw string literal; pieces, as no compiler must take a long one. */
function literal(text) {
  if (text.includes(')rehearse"')) throw new Error('the delimiter stands in the text');
  return text.match(/[^]{1,12000}/gu).map((piece) => `R"rehearse(${piece})rehearse"`).join('\n');
}

/** The packages whose files are in the bundle, and what their licences ask to be told. */
function notices_of(inputs) {
  const folders = new Map();
  for (const file of Object.keys(inputs)) {
    const found = file.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//);
    if (found) folders.set(found[1].replace(/^.*node_modules\//, ''), resolve(here, found[1]));
  }
  const by_text = new Map();
  for (const [, folder] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).sort().find((name) => /^licen[cs]e/i.test(name));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${about.license}`;
    by_text.set(text, [...(by_text.get(text) ?? []), `${about.name} ${about.version} (${about.license})`]);
  }
  return [...by_text].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(72)}\n\n`);
}

const done = await build({
  absWorkingDir: here, entryPoints: ['page.js'], nodePaths: [join(home, 'node_modules')], bundle: true, minify: true, format: 'iife', target: 'es2022',
  charset: 'utf8', legalComments: 'none', metafile: true, write: false,
});
// The text ends up between <script> tags.
const script = done.outputFiles[0].text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
writeFileSync(output, `// made by bundle.mjs
#include "sim/study/report/assets.hpp"

namespace rehearse {

std::string_view report_script() {
  return ${literal(script)};
}
std::string_view report_style() {
  return ${literal(readFileSync(join(here, 'page.css'), 'utf8'))};
}
std::string_view report_notices() {
  return ${literal(notices_of(done.metafile.inputs))};
}

}  // namespace rehearse
`);
