"""Runs the comparison, or says what it would run."""

from __future__ import annotations

import os
import sys
from datetime import datetime, timezone
from importlib.metadata import version

from . import arguments as command
from .arguments import Arguments, Part, Place, TableError, prepare_table
from .corpus import CorpusError, cases
from .plan import EngineName, has_slots, lines
from .vocabulary import Vocabulary, VocabularyError, read


def main() -> int:
    """Returns the exit code: 0 if all was done, 1 if not, 2 if what is given cannot be read."""
    arguments = command.read(sys.argv[1:])
    try:
        vocabulary = read(arguments.tokenizer, arguments.end)
        return plan(arguments, vocabulary) if arguments.dry_run else measure(arguments, vocabulary)
    except (CorpusError, VocabularyError, TableError) as error:
        print(error, file=sys.stderr)
        return 2


def plan(arguments: Arguments, vocabulary: Vocabulary) -> int:
    """Prints what would be run, with texts in the longest tokens that match: canonical ones need a library."""
    texts = tokens = unwritten = 0
    for case in cases(arguments.corpus, arguments.seed):
        if texts == arguments.texts:
            break
        written = vocabulary.longest_matches(case.text.encode())
        unwritten += int(written is None)
        texts += int(written is not None)
        tokens += len(written or ())
    print(f"vocabulary: {len(vocabulary)} tokens; texts end with {vocabulary.end_name}, token {vocabulary.end}")
    print(f"texts: {texts}, in {tokens} tokens by longest matches; {unwritten} cannot be written")
    for line in lines(arguments, len(vocabulary)):
        print(line)
    if texts == 0:
        print(f"{arguments.corpus}: no text that the vocabulary can write", file=sys.stderr)
    return 0 if texts > 0 else 1


def measure(arguments: Arguments, vocabulary: Vocabulary) -> int:
    """Runs all parts, and writes the table after each of them: what was measured is not lost if a later one fails."""
    # These need what `requirements.txt` names.
    from ogc.cuda import Device, DeviceError

    from .decode import Bench
    from .device_slots import device_in_words
    from .engines.of_llguidance import Llguidance
    from .engines.of_ogc import Ogc, OgcError
    from .engines.of_xgrammar import Xgrammar
    from .host import measure as measure_host
    from .machine import NoDevice, open_machine
    from .selection import Engines, select
    from .table import Report, write

    prepare_table(arguments.out)
    try:
        machine = open_machine(arguments.place, arguments.threads)
        kernels = device_in_words(Device()) if arguments.place is Place.CUDA else "not used: no device"
        given = (vocabulary, arguments.space, arguments.threads)
        engines: Engines = {
            EngineName.XGRAMMAR: Xgrammar(*given),
            EngineName.LLGUIDANCE: Llguidance(*given),
            EngineName.OGC: Ogc(*given),
        }
    except (NoDevice, DeviceError, OgcError) as error:
        print(error, file=sys.stderr)
        return 1
    report_head = head(arguments, vocabulary, machine.describe(), kernels)
    selection = select(arguments, vocabulary, engines)
    report = Report(report_head, arguments.place, arguments.parts, selection)
    write(report, arguments.out)
    if not selection.texts:
        print(f"{arguments.corpus}: no text that all engines take; {arguments.out} says why", file=sys.stderr)
        return 1
    if Part.HOST in arguments.parts:
        for time in measure_host(arguments, vocabulary, engines, selection):
            report.host.append(time)
        write(report, arguments.out)
    if Part.DECODE in arguments.parts:
        bench = Bench(arguments, machine, vocabulary, engines, selection)
        report.left = bench.prepare() if has_slots(arguments) else None
        for decoded in bench.measure():
            report.decoded.append(decoded)
            write(report, arguments.out)
    print(arguments.out)
    failed = [one for one in report.decoded if one.problem is not None and one.problem.startswith("failed")]
    return 1 if failed else 0


def head(arguments: Arguments, vocabulary: Vocabulary, machine: str, kernels: str) -> dict[str, str]:
    """Returns what a reader must know to measure it again."""
    engines = ", ".join(f"{name} {version(name)}" for name in ("xgrammar", "llguidance"))
    return {
        "date": f"{datetime.now(timezone.utc):%Y-%m-%d}",
        "machine": machine,
        "kernels of ogc": kernels,
        "processors": f"{os.cpu_count()}, with a load of {os.getloadavg()[0]:.1f} before",
        "engines": engines,
        "vocabulary": f"{vocabulary.path.parent.name}, {len(vocabulary)} tokens; texts end with {vocabulary.end_name}",
        "corpus": f"{arguments.corpus.name}, seed {arguments.seed}",
        "white space in JSON": arguments.space.value,
        "steps": f"{arguments.steps}, after as many that do not count; each attends to {arguments.context} positions",
        "threads for masks": f"1 in synchronous arms, {arguments.threads} in overlapped ones",
        "sampler": "a draw by the weights of all tokens; the replayed token has a logit that makes it certain",
        "sampler of ogc": "the same draw by the kernel of the fused arm, which masks as it draws",
    }


if __name__ == "__main__":
    sys.exit(main())
