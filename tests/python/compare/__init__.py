"""Compares ogc, as a plug-in of an unmodified vLLM, with vLLM's own backends.

1. `formats` collects 30 formats: `examples`, `corpus`, `patterns`, `grammars` and `tools`. Each has a prompt, and a
   validator that is independent of all backends: `jsonschema` with checks of string formats, `re`, or a parser written
   by hand (`schemas`, `parsers`).
2. `workload` makes 300 requests of them: the same for each backend.
3. `arm` sends them to one backend (`engine`), validates each answer, and writes a line of JSON for it (`record`).
4. `report` makes one table of the lines of all backends.

`run` does all of it.
"""
