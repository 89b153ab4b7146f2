"""Attacks on a server, each with a healthy client at the same time; see `run`."""

import contextlib
import http.client
import itertools
import random
import statistics
import sys
import threading
import time

from server import Server, chat, raw_post, tokens_of, with_schema

BINARY, MODEL, *ARGUMENTS = sys.argv[1:]
HEALTHY, ATTACKER = "127.0.0.1", "127.0.0.2"
SECONDS = 12
CHAT = "/v1/chat/completions"
numbers = itertools.count()


def quietly(action, *arguments, **named):
    """Ignores failures, which attacks may cause."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        return action(*arguments, **named)


def every(count, action):
    """Has `count` threads repeat something until the attack ends; returns the event that ends it, and the threads."""
    is_over = threading.Event()

    def attack():
        while not is_over.is_set():
            quietly(action)

    threads = [threading.Thread(target=attack, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    return is_over, threads


def small_schema():
    return {"type": "object", "properties": {f"k{next(numbers)}": {"enum": ["a", "b"]}}, "additionalProperties": False}


def bomb():
    patterns = {f"^(?=.*a{next(numbers)})(?!.*b{at})x": {"type": "integer"} for at in range(60)}
    return with_schema({"type": "object", "patternProperties": patterns})


def compile_bombs(server):
    return every(72, lambda: server.ask(CHAT, bomb(), 20, ATTACKER))


def wide_unions(server):
    def body():
        objects = [{"type": "object", "properties": {f"a{next(numbers)}": {"type": "string"} for _ in range(40)}} for _ in range(30)]
        return with_schema({"anyOf": objects, "unevaluatedProperties": False})

    return every(24, lambda: server.ask(CHAT, body(), 20, ATTACKER))


MARKDOWN = r"""
root ::= block+
block ::= (emph | strong | code | text)+ "\n"
emph ::= "*" inline+ "*"
strong ::= "**" inline+ "**"
inline ::= emph | strong | code | text
code ::= "`" [^`\n]+ "`"
text ::= [^`\n]+
"""

PALINDROMES = 'root ::= "a" root "a" | "b" root "b" | "*" root "*" | [ab*]'


def slow_masks(grammar, bias):
    star = tokens_of(MODEL).index(bias)

    def attack(server):
        body = chat(guided_grammar=grammar, logit_bias={str(star): 100}, max_tokens=400)
        return every(4, lambda: server.ask(CHAT, body, 60, ATTACKER))

    return attack


def counted_pattern(server):
    def body():
        return chat(structured_outputs={"regex": f"[\\s\\S]{{0,{10_000 + next(numbers)}}}\\*"}, max_tokens=300)

    return every(4, lambda: server.ask(CHAT, body(), 60, ATTACKER))


def huge_prompts(server):
    content = "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=8_200_000))
    return every(6, lambda: server.ask(CHAT, chat(content), 60, ATTACKER))


def long_prompts(server):
    content = "word " * 2_000
    return every(6, lambda: server.ask(CHAT, chat(content, max_tokens=8), 60, ATTACKER))


def silent(server, data):
    """Opens more and more connections on which nothing more is sent or read; the oldest are closed when there are 700."""
    opened = []

    def attack():
        opened.append(server.send_raw(data, ATTACKER))
        if len(opened) > 700:
            opened.pop(0).close()
        time.sleep(0.005)

    return every(4, attack)


def never_read(server):
    return silent(server, raw_post(CHAT, chat(stream=True, max_tokens=2_000)))


def never_sent(server):
    head = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{"
    return silent(server, head.encode())


def coming_and_going(server):
    def attack():
        server.send_raw(raw_post(CHAT, with_schema(small_schema(), stream=True)), ATTACKER).close()
        time.sleep(0.01)

    return every(8, attack)


def new_schemas(server):
    return every(4, lambda: server.ask(CHAT, with_schema(small_schema(), max_tokens=12), 20, ATTACKER))


ATTACKS = {
    "compile-bombs": compile_bombs,
    "wide-unions": wide_unions,
    "markdown": slow_masks(MARKDOWN, "*"),
    "palindromes": slow_masks(PALINDROMES, "*"),
    "counted-pattern": counted_pattern,
    "huge-prompts": huge_prompts,
    "long-prompts": long_prompts,
    "never-read": never_read,
    "never-sent": never_sent,
    "coming-and-going": coming_and_going,
    "new-schemas": new_schemas,
}


def healthy(server, seconds):
    """Sends requests like a healthy client, half with a known format, for the likeliest text; returns seconds to first bytes, and refusals."""
    waits, refused, end = [], [], time.monotonic() + seconds
    known = {"type": "object", "properties": {"a": {"enum": ["b", "c"]}}, "additionalProperties": False}
    for schema in itertools.cycle([lambda: known, small_schema]):
        if time.monotonic() > end:
            return waits, refused
        try:
            status, wait, answer = server.ask(CHAT, with_schema(schema(), max_tokens=12, temperature=0), 120, HEALTHY)
            waits.append(wait)
            if status != 200:
                refused.append((status, answer[:200]))
        except (OSError, http.client.HTTPException) as error:
            refused.append((0, str(error)))


def milliseconds(waits):
    return f"{1e3 * statistics.median(waits):6.0f} {1e3 * max(waits):6.0f}" if waits else "     -      -"


def attack_with(name):
    """Attacks a new server; returns whether it served its healthy client."""
    server = Server(BINARY, MODEL)
    healthy(server, 2)
    idle, _ = healthy(server, 4)
    before = server.memory()
    server.forget_peak()
    is_over, threads = ATTACKS[name](server)
    beside, refused = healthy(server, SECONDS)
    peak = server.memory("VmHWM")
    is_over.set()
    for thread in threads:
        thread.join(65)
    time.sleep(5)
    healthy(server, 1)
    after, is_alive = server.memory(), server.is_alive()
    print(f"{name:18} {milliseconds(idle)} {milliseconds(beside)} {len(beside):5} {len(refused):5} {before:6} {peak:6} {after:6}", flush=True)
    for refusal in refused[:2]:
        print(f"    {refusal}")
    server.stop()
    return is_alive and not refused


def load(seconds):
    """Mixes requests with new schemas, some of them expensive, some given up; prints the memory meanwhile."""
    server, begin = Server(BINARY, MODEL), time.monotonic()
    ends = [
        every(6, lambda: server.ask(CHAT, with_schema(small_schema(), max_tokens=8), 20, ATTACKER)),
        every(1, lambda: server.ask(CHAT, bomb(), 2, ATTACKER)),
        coming_and_going(server),
    ]
    print("seconds schemas memory/MB", flush=True)
    while (spent := time.monotonic() - begin) < seconds and server.is_alive():
        print(f"{spent:7.0f} {next(numbers):7} {server.memory():9}", flush=True)
        time.sleep(min(30, max(1, seconds / 20)))
    for is_over, _ in ends:
        is_over.set()
    is_alive = server.is_alive()
    server.stop()
    return is_alive


def main():
    if ARGUMENTS[:1] == ["--load"]:
        return load(float(ARGUMENTS[1]))
    print("                     idle wait/ms   beside/ms   asked refused  memory/MB before, peak, after")
    print("                    median    max median    max", flush=True)
    return all([attack_with(name) for name in ARGUMENTS or ATTACKS])


sys.exit(0 if main() else 1)
