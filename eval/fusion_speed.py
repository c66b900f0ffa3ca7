"""What fusion costs: `python eval/fusion_speed.py [--cells N]`.

A fit of RE-LCA, all its starts included, on votes drawn at the paper's coverage (2,744 cells) and on a million cells,
on one core; and Dawid-Skene beside crowd-kit's on the same votes and as many steps of its expectation-maximisation as
it takes by default, if crowd-kit is installed (it is no dependency). Wall-clock seconds, the median of the rounds; the
ratio is theirs / ours, median over the rounds of one run.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from common import finish, run, table
from panels import Design, draw_panel

from evidial_rules.fusion import RELCA, DawidSkene

MILLION = 1_000_000


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def theirs(votes: Any) -> Callable[[], object] | None:
    """Crowd-kit's Dawid-Skene on the votes, or None if it is not installed."""
    try:
        import pandas as pd
        from crowdkit.aggregation import DawidSkene as CrowdKit
    except ImportError:
        return None
    task, worker = np.nonzero(votes >= 0)
    frame = pd.DataFrame({"task": task, "worker": worker, "label": votes[task, worker]})
    return lambda: CrowdKit(n_iter=100).fit(frame)


def main() -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=MILLION, help="cells of the large fit")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    small = draw_panel(Design("paper", covariates="crossed"), rng)
    RELCA().fit(small.votes, small.x)
    relca = [seconds(lambda: RELCA().fit(small.votes, small.x)) for _ in range(arguments.rounds)]
    share = arguments.cells / small.votes.shape[0]
    n = (round(2168 * share), arguments.cells - round(2168 * share))
    large = draw_panel(Design("paper", covariates="crossed", n=n), rng)
    million = seconds(lambda: RELCA().fit(large.votes, large.x))
    rows = [["RE-LCA", f"{len(small.votes)}", f"{statistics.median(relca):.2f}"],
            ["RE-LCA", f"{arguments.cells}", f"{million:.2f}"]]
    ratio = None
    complete = draw_panel(Design("3 complete"), rng).votes
    other = theirs(complete)
    if other is None:
        print("crowd-kit: not installed; pip install crowd-kit (in an environment of its own: it brings PyTorch)")
    else:
        pairs = [(seconds(lambda: DawidSkene().fit(complete)), seconds(other)) for _ in range(arguments.rounds)]
        ratio = round(statistics.median(b / a for a, b in pairs), 2)
        rows += [["Dawid-Skene", f"{len(complete)}", f"{statistics.median(a for a, _ in pairs):.3f}"],
                 ["crowd-kit's", f"{len(complete)}", f"{statistics.median(b for _, b in pairs):.3f}"]]
    print(table(["fit", "cells", "seconds"], rows))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nat most {peak:.0f} MB in use; the large panel's own arrays included")
    finish({"relca_s": round(statistics.median(relca), 3), "relca_million_s": round(million, 2),
                   "vs_crowdkit": ratio, "rss_mb": round(peak)})
    return 0


if __name__ == "__main__":
    run(main)
