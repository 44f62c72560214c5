#!/usr/bin/env python3
"""Builds generated sites of growing size and says how long each took, how much memory, and how large its pages are.

    tests/bench/scale.py [--configs N] [number of records ...]       5000 10000 where none is given

Each site has that many runs of N configs, 1 where that is not said, and the models, cards and prices of the repository.
They state all that matters, so that each may be compared with every other. A last site has a single run of 2,000 configs. They are built with target/release/site. The numbers are printed for a
reader; only pages that are missing or larger than they may be make the script fail.
"""

import argparse
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ROOT / "content/runs/h100-qwen3-30b-a3b-prefix-cache-vllm.json"
# Bytes and table rows of one page.
LARGEST_PAGE = 1_000_000
MOST_ROWS = 1_500
LARGE_RUN = 2_000


def with_configs(run, name, count):
    """The published run under another name, its four configs repeated with other numbers."""
    run = copy.deepcopy(run)
    run["id"] = name
    run["title"] = f"Generated run {name}"
    measured = run["configs"]
    run["configs"] = []
    for number in range(count):
        config = copy.deepcopy(measured[number % len(measured)])
        if number >= len(measured):
            config["label"] = f"config {number}"
        config["prefix_cache_hit_pct"] = 0
        config["goodput_tok_s"] = round(config["goodput_tok_s"] * (1 + number % 97 / 100), 1)
        run["configs"].append(config)
    return run


def generate(root, records, configs):
    shutil.copy(ROOT / "site.toml", root)
    for kind in ("models", "hardware", "prices"):
        shutil.copytree(ROOT / "content" / kind, root / "content" / kind)
    runs = root / "content/runs"
    runs.mkdir(parents=True)
    published = json.loads(RUN.read_text(encoding="utf-8"))
    for number in range(records):
        name = f"run-{number:05}"
        text = json.dumps(with_configs(published, name, configs), indent=1, ensure_ascii=False)
        (runs / f"{name}.json").write_text(text, encoding="utf-8")


def build(root):
    """Seconds on the clock and of all processors, and the largest resident memory in MiB."""
    command = [ROOT / "target/release/site", "build", "-C", root]
    start = time.monotonic()
    with open(os.devnull, "w") as nowhere:
        child = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{command} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def faults(root, records):
    """Pages that are too large, and runs without a page."""
    public = root / "public"
    found = []
    for page in public.rglob("*.html"):
        text = page.read_bytes()
        rows = len(re.findall(rb"<tr[ >]", text))
        if len(text) > LARGEST_PAGE or rows > MOST_ROWS:
            found.append(f"{page.relative_to(public)}: {len(text)} bytes, {rows} rows")
    missing = [number for number in range(records) if not (public / f"runs/run-{number:05}.html").exists()]
    return found + [f"run-{number:05} has no page" for number in missing]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--configs", type=int, default=1)
    parser.add_argument("records", type=int, nargs="*", default=[5_000, 10_000])
    arguments = parser.parse_args()
    failed = False
    for records, configs in [*((records, arguments.configs) for records in arguments.records), (1, LARGE_RUN)]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            generate(root, records, configs)
            seconds, computing, memory = build(root)
            files = sum(1 for path in (root / "public").rglob("*") if path.is_file())
            took = f"{seconds:.1f} s ({computing:.1f} s of processors), {memory:.0f} MiB"
            print(f"{records} runs of {configs} configs: {took}, {files} files", flush=True)
            for fault in faults(root, records):
                failed = True
                print(f"  {fault}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
