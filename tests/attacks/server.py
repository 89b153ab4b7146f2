"""A server under attack: its process, its memory, and requests to it."""

import http.client
import json
import socket
import struct
import subprocess
import time


class Server:
    """`ogc serve` with a model, until `stop`."""

    def __init__(self, binary, model, *options):
        command = [binary, "serve", "--model", model, "--name", "m", "--listen", "127.0.0.1:0", "--message-format", "json", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        url = json.loads(self.process.stdout.readline())["url"]
        self.port = int(url.split(":")[2].split("/")[0])

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def is_alive(self):
        return self.process.poll() is None

    def memory(self, what="VmRSS"):
        """The resident memory in MB; `VmHWM` is the peak since `forget_peak`."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            line = next(line for line in status if line.startswith(what))
        return int(line.split()[1]) // 1024

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as refs:
            refs.write("5")

    def connect(self, timeout=120, source="127.0.0.1"):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))

    def ask(self, path, body, timeout=120, source="127.0.0.1"):
        """Returns the status, the seconds to the first byte of the answer, and the answer."""
        connection = self.connect(timeout, source)
        try:
            begin = time.monotonic()
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            response = connection.getresponse()
            first = time.monotonic() - begin
            return response.status, first, response.read()
        finally:
            connection.close()

    def send_raw(self, data, source="127.0.0.1"):
        """Opens a connection, sends bytes, and returns the socket without reading from it."""
        connection = socket.create_connection(("127.0.0.1", self.port), 10, source_address=(source, 0))
        connection.sendall(data)
        return connection


def chat(content="Say hi.", **fields):
    """A request for the next message of a chat."""
    return {"model": "m", "messages": [{"role": "user", "content": content}], "max_tokens": 40, **fields}


def with_schema(schema, **fields):
    """A request for a text of a schema."""
    return chat(response_format={"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}, **fields)


def raw_post(path, body):
    """A request as bytes."""
    body = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def tokens_of(model):
    """The texts of a model's tokens, from the metadata of its GGUF file."""
    with open(model, "rb") as file:

        def number(form):
            return struct.unpack("<" + form, file.read(struct.calcsize("<" + form)))[0]

        def text():
            return file.read(number("Q")).decode("utf-8", "replace")

        def value(kind):
            if kind == 8:
                return text()
            if kind == 9:
                of, count = number("I"), number("Q")
                return [value(of) for _ in range(count)]
            return number("BbHhIif?"[kind] if kind < 8 else {10: "Q", 11: "q", 12: "d"}[kind])

        file.read(16)
        for _ in range(number("Q")):
            key, kind = text(), number("I")
            found = value(kind)
            if key == "tokenizer.ggml.tokens":
                return found
    return []
