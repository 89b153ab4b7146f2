"""Compares decode steps with and without formats: ogc beside xgrammar and llguidance, in PyTorch.

`python3 -m compare --help`, from the folder of this package; `run` beside it calls it. The steps, a file each:

1. `corpus`, `vocabulary`: schemas with texts, and the tokens that write them.
2. `plan`: which arms run with which models and rows. A dry run ends here; up to here the standard library is enough.
3. `selection`: texts that all engines take (`engines`), with what each refuses counted.
4. `agreement`: the masks of the engines, compared token by token.
5. `host`: how long masks take on the host, without a model.
6. `decode`: whole decode steps of a model (`model`, `sampler`, `state`) on a `machine`, an arm after the other. `fused`
   steps formats on the device, in `device_slots`.
7. `table`: all of it in Markdown, and in JSON beside it.

`tests` need the standard library alone, and run wherever ogc-cuda is tested; `torch_tests` need what `requirements.txt`
names, and `run` runs them before it measures. In `fake_slots` the device is the host.
"""
