// sim/study/report/web/page.js — draws the charts of a report, and answers its filters. Nothing is
// fetched, nothing is evaluated: expressions go through Vega's interpreter, colours through CSS.
import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';

const ink = 'var(--ink)', faint = 'var(--faint)', line = 'var(--line)';
const config = {
  background: null,
  font: 'system-ui, sans-serif',
  view: { stroke: null },
  axis: {
    labelColor: ink, titleColor: ink, domainColor: faint, tickColor: faint, gridColor: line,
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, labelLimit: 200,
  },
  legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, orient: 'top', labelLimit: 320, columns: 5 },
  text: { color: ink },
  range: { category: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((i) => `var(--c${i})`) },
};

/** Rows as objects: the page holds columns once and bare values a row. */
function rows_of(data) {
  return data.rows.map((row) => Object.fromEntries(data.columns.map((name, i) => [name, row[i]])));
}

/** Choices above a chart pick its rows, and those of its table: `show` takes the rows. Returns the first. */
function add_filters(figure, chart, rows, show) {
  const bar = figure.querySelector('.filters');
  const chosen = {};
  const options_of = (filter) => {
    const scope = filter.within ? rows.filter((row) => row[filter.within] === chosen[filter.within]) : rows;
    return [...new Set(scope.map((row) => row[filter.field]))];
  };
  const controls = [];
  const fill = (control) => {
    const names = options_of(control.filter);
    control.select.replaceChildren(...names.map((name) => new Option(name, name)));
    if (!names.includes(chosen[control.filter.field])) chosen[control.filter.field] = names[0];
    control.select.value = chosen[control.filter.field];
  };
  const choose = () => {
    const kept = rows.filter((row) => chart.filters.every((filter) => row[filter.field] === chosen[filter.field]));
    for (const row of figure.querySelectorAll('tbody tr')) {
      row.hidden = chart.filters.some((filter) => row.dataset[filter.field] !== undefined && row.dataset[filter.field] !== chosen[filter.field]);
    }
    return kept;
  };
  for (const filter of chart.filters) {
    const label = document.createElement('label');
    label.textContent = filter.label + ' ';
    const select = document.createElement('select');
    select.dataset.filter = filter.field;
    label.append(select);
    bar.append(label);
    const control = { filter, select };
    controls.push(control);
    chosen[filter.field] = filter.initial;
    fill(control);
    select.addEventListener('change', () => {
      chosen[filter.field] = select.value;
      for (const other of controls) if (other.filter.within === filter.field) fill(other);
      show(choose());
    });
  }
  return choose();
}

/** The places a chart is drawn in: one, or one for each panel, under its name. */
function places_of(figure, chart) {
  const whole = figure.querySelector('.chart');
  if (!chart.panels.length) return [{ place: whole, panel: null }];
  whole.classList.add('panels');
  return chart.panels.map((panel) => {
    const box = document.createElement('div'), name = document.createElement('p'), place = document.createElement('div');
    name.textContent = panel;
    name.className = 'panel';
    box.append(name, place);
    whole.append(box);
    return { place, panel };
  });
}

async function draw(chart) {
  const figure = document.getElementById(chart.id);
  const rows = rows_of(chart.data);
  const drawings = [];
  const of = (kept, panel) => (panel === null ? kept : kept.filter((row) => row.side === panel));
  const show = (kept) => drawings.map(({ view, panel }) => view.data('rows', of(kept, panel)).resize().runAsync());
  const first = chart.filters.length ? add_filters(figure, chart, rows, show) : rows;
  for (const { place, panel } of places_of(figure, chart)) {
    const spec = { ...chart.spec, data: { name: 'rows', values: of(first, panel) } };
    spec.width ??= 'container';
    if (panel !== null) spec.description = `${panel}: ${spec.description}`;
    const { view } = await embed(place, spec, {
      mode: 'vega-lite', renderer: 'svg', actions: false, ast: true, expr: expressionInterpreter,
      config: panel === null ? config : { ...config, legend: { ...config.legend, columns: 3 } },
      tooltip: { theme: 'custom' },
    });
    drawings.push({ view, panel });
  }
  figure.querySelector('.chart').dataset.drawn = 'yes';
}

/** A word typed above a table keeps the rows that hold it. */
function add_search(box) {
  const table = document.getElementById(box.getAttribute('aria-controls'));
  box.addEventListener('input', () => {
    const word = box.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(word);
  });
}

async function main() {
  document.querySelectorAll('input[type=search]').forEach(add_search);
  for (const chart of JSON.parse(document.getElementById('charts').textContent)) {
    try {
      await draw(chart);
    } catch (error) {
      console.error(chart.id, error);
    }
    await new Promise((next) => setTimeout(next)); // the page answers between two charts
  }
  document.documentElement.dataset.drawn = 'yes';
}
main();
