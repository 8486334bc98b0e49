"""What processes have loaded from the beginning: their code, and kernels for tiny boards."""

import skerry
import skerry.server.archive.exports
import skerry.server.positions.tracing
import skerry.server.reports.drawing
import skerry.server.study.analyst
import skerry.server.study.reading
import skerry.server.workers.rota
import skerry.server.workers.thinking
from skerry.search.warmup import rehearse, warm_up, warm_up_solver
from support.sizes import TINY

for name, options in TINY.items():
    for load in (rehearse, warm_up, warm_up_solver):
        load(skerry.make(name, **options))
