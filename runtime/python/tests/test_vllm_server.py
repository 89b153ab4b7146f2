"""Tests of vLLM's HTTP server with the plug-in, with requests as users send them: `tests/python/vllm`."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from engine import model
from samples import PERSON, is_person

MODEL = model()


class Server:
    """A server in a process of its own."""

    def __init__(self, log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = ["--model", MODEL, "--served-model-name", "small", "--host", "127.0.0.1", "--port", str(self.port)]
        options = ["--enforce-eager", "--max-model-len", "1024", "--dtype", "float32"]
        tools = ["--enable-auto-tool-choice", "--tool-call-parser", "hermes"]
        self.log = log
        self.process = subprocess.Popen(
            [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *words, *options, *tools],
            stdout=log.open("wb"),
            stderr=subprocess.STDOUT,
            env={**os.environ, "VLLM_ENABLE_V1_MULTIPROCESSING": "1"},
        )

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
                return
            except OSError:
                time.sleep(1)
        raise RuntimeError(f"the server did not start: {self.log.read_text()[-4000:]}")

    def post(self, **body: Any) -> tuple[int, Any]:
        """Status and answer of a chat request."""
        given = {"model": "small", "messages": [{"role": "user", "content": "Describe a person."}], "max_tokens": 80, "seed": 1, **body}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/chat/completions",
            json.dumps(given).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def text(self, **body: Any) -> str:
        status, answer = self.post(**body)
        assert status == 200, answer
        return str(json.loads(answer)["choices"][0]["message"]["content"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server") / "log")
    try:
        running.wait(300)
        yield running
    finally:
        running.process.terminate()
        running.process.wait(30)


def schema(given: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": given, "strict": True}}


def test_a_json_schema_as_openais_client_sends_it(server: Server) -> None:
    for temperature in (0.0, 1.3):
        assert is_person(server.text(response_format=schema(PERSON), temperature=temperature))
    assert is_person(server.text(response_format=schema(PERSON), max_tokens=24))
    assert isinstance(json.loads(server.text(response_format={"type": "json_object"})), dict)


@pytest.mark.parametrize(
    ("outputs", "pattern"),
    [
        ({"regex": "[A-Z][a-z]{2,8}"}, "[A-Z][a-z]{2,8}"),
        ({"choice": ["red", "a+b?"]}, r"red|a\+b\?"),
        ({"grammar": 'root ::= ("ab" | "cd")+ "."'}, r"(ab|cd)+\."),
        ({"grammar": 'output A = "age: " age: int<0..99>'}, "age: [0-9]{1,2}"),
    ],
)
def test_other_structured_outputs_constrain_the_text(server: Server, outputs: dict[str, Any], pattern: str) -> None:
    assert re.fullmatch(pattern, server.text(structured_outputs=outputs))


def test_a_stream_has_the_pieces_of_a_whole_text(server: Server) -> None:
    status, answer = server.post(response_format=schema(PERSON), stream=True)
    events = [line.removeprefix("data: ") for line in answer.splitlines() if line.startswith("data: {")]
    pieces = [json.loads(event)["choices"][0]["delta"].get("content") or "" for event in events]
    assert status == 200 and len(pieces) > 5
    assert is_person("".join(pieces))


def test_concurrent_clients_get_texts_of_their_formats(server: Server) -> None:
    formats = [PERSON, {"enum": ["a", 1, None]}, {"type": "array", "items": {"type": "integer"}, "maxItems": 5}] * 5
    with ThreadPoolExecutor(16) as pool:
        written = list(pool.map(lambda given: server.text(response_format=schema(given), temperature=1.0, max_tokens=60), formats))
    for text, given in zip(written, formats):
        assert is_person(text) if given is PERSON else json.loads(text) is not ...


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"response_format": schema({"type": "objekt"})}, ["objekt", "1:10", "Help"]),
        ({"structured_outputs": {"regex": "(a"}}, ["<regex>"]),
        ({"structured_outputs": {"grammar": "output A = B"}}, ["`B`"]),
        ({"response_format": schema(PERSON), "max_tokens": 5}, ["max_tokens is 5"]),
    ],
)
def test_a_bad_request_is_a_400_with_place_and_help(server: Server, body: dict[str, Any], words: list[str]) -> None:
    status, answer = server.post(**body)
    assert status == 400, answer
    assert all(word in json.loads(answer)["error"]["message"] for word in words), answer
    assert is_person(server.text(response_format=schema(PERSON)))


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "find"}}])
def test_a_required_tool_is_called(server: Server, choice: Any) -> None:
    """vLLM turns a required tool into a structural tag, which has the schemas of strict tools."""
    schema = {"type": "object", "properties": {"city": {"enum": ["Oslo"]}}, "required": ["city"]}
    function = {"name": "find", "strict": True, "parameters": schema}
    status, answer = server.post(tools=[{"type": "function", "function": function}], tool_choice=choice)
    assert status == 200, answer
    (call,) = json.loads(answer)["choices"][0]["message"]["tool_calls"]
    assert json.loads(call["function"]["arguments"])["city"] == "Oslo"
