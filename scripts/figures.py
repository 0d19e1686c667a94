#!/usr/bin/env python3
# scripts/figures.py — draws the README's picture from a result file: GPUs busy and wanted over time.
"""figures.py RESULT.h5 OUT.svg: days on the x axis; GPUs held by jobs, and with those of pending jobs on top.

Plain SVG without fonts or scripts of its own; the same file gives the same bytes.
"""
import sys

import h5py
import numpy as np

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 860, 300, 56, 34, 30
BUSY, WANTED, LINE, TEXT = "#2b6cb0", "#f2c283", "#444444", "#333333"


def daily(times, values, step=6 * 3600):
    cell = (times - times[0]) // step
    return np.array([values[cell == c].mean() for c in range(int(cell[-1]) + 1) if (cell == c).any()])


def main(source, target):
    with h5py.File(source) as file:
        series = {name: file["series"][name][:] for name in ("time", "gpus_busy", "gpus_wanted", "gpus_existing")}
        title = file.attrs.get("cluster", "")
        title = title.decode() if isinstance(title, bytes) else str(title)
    busy = daily(series["time"], series["gpus_busy"])
    wanted = busy + daily(series["time"], series["gpus_wanted"])
    existing = float(series["gpus_existing"].max())
    # Above twice the cluster the queue is cut off: the picture is about the machine.
    top = min(max(wanted.max(), existing) * 1.05, existing * 2)
    days = (series["time"][-1] - series["time"][0]) / 86400
    x = lambda i: LEFT + i / (len(busy) - 1) * (WIDTH - LEFT - 10)
    y = lambda v: HEIGHT - BOTTOM - min(v, top) / top * (HEIGHT - BOTTOM - TOP)
    area = lambda values: " ".join(f"{x(i):.1f},{y(v):.1f}" for i, v in enumerate(values))
    closed = lambda values: f"{x(0):.1f},{y(0):.1f} {area(values)} {x(len(values) - 1):.1f},{y(0):.1f}"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12" role="img">',
        f"<title>GPUs held by jobs and wanted by the queue, {days:.0f} days</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<polygon points="{closed(wanted)}" fill="{WANTED}"/>',
        f'<polygon points="{closed(busy)}" fill="{BUSY}"/>',
        f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y(existing):.1f}" y2="{y(existing):.1f}" stroke="{LINE}" stroke-dasharray="5 3"/>',
        f'<text x="{LEFT - 6}" y="{y(existing) + 4:.1f}" text-anchor="end" fill="{TEXT}">{existing:.0f}</text>',
        f'<text x="{LEFT - 6}" y="{y(0) + 4:.1f}" text-anchor="end" fill="{TEXT}">0</text>',
    ]
    for week in range(0, int(days // 7) + 1, 2):
        at = LEFT + week * 7 / days * (WIDTH - LEFT - 10)
        out.append(f'<text x="{at:.1f}" y="{HEIGHT - 14}" fill="{TEXT}">week {week}</text>')
    legend = [(BUSY, "GPUs held by running jobs"), (WANTED, "wanted by pending jobs (cut off)"), (LINE, "GPUs of the cluster (dashed)")]
    for i, (colour, text) in enumerate(legend):
        out.append(f'<rect x="{LEFT + i * 250}" y="8" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{LEFT + i * 250 + 18}" y="18" fill="{TEXT}">{text}</text>')
    out.append("</svg>")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: figures.py RESULT.h5 OUT.svg")
    main(sys.argv[1], sys.argv[2])
