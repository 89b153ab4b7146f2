"""Tests of the official Python client with `ogc serve`: texts of formats, streams, calls of tools, errors; by chats and by responses."""

import json
import re

import openai

client = openai.OpenAI()
PLACE = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "population": {"type": "integer", "minimum": 1}},
    "required": ["name", "population"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "place", "strict": True, "schema": PLACE}}
TOOL = {"type": "function", "function": {"name": "find_place", "description": "Finds a place", "parameters": PLACE, "strict": True}}
MESSAGES = [{"role": "user", "content": "Name a place."}]


FLAT_FORMAT = {"type": "json_schema", "name": "place", "strict": True, "schema": PLACE}
FLAT_TOOL = {"type": "function", "name": "find_place", "description": "Finds a place", "parameters": PLACE, "strict": True}

# The grammar of Codex for edits of files.
PATCH = r"""
start: begin_patch hunk+ end_patch
begin_patch: "*** Begin Patch" LF
end_patch: "*** End Patch" LF?

hunk: add_hunk | delete_hunk | update_hunk
add_hunk: "*** Add File: " filename LF add_line+
delete_hunk: "*** Delete File: " filename LF
update_hunk: "*** Update File: " filename LF change_move? change?

filename: /(.+)/
add_line: "+" /(.*)/ LF -> line

change_move: "*** Move to: " filename LF
change: (change_context | change_line)+ eof_line?
change_context: ("@@" | "@@ " /(.+)/) LF
change_line: ("+" | "-" | " ") /(.*)/ LF
eof_line: "*** End of File" LF

%import common.LF
"""
PATCH_TOOL = {
    "type": "custom", "name": "apply_patch", "description": "Edits files",
    "format": {"type": "grammar", "syntax": "lark", "definition": PATCH},
}
LINE = r"(\*\*\* (Add|Update) File: .+|\*\*\* Delete File: .+|\*\*\* Move to: .+|@@( .+)?|[+\- ].*|\*\*\* End of File)\n"
PATCHED = re.compile(rf"\*\*\* Begin Patch\n({LINE})+\*\*\* End Patch\n?")


def check_place(text):
    place = json.loads(text)
    assert set(place) == {"name", "population"} and len(place["name"]) <= 20 and place["population"] >= 1, text


def models():
    assert [model.id for model in client.models.list()] == ["smollm2"]


def whole():
    answer = client.chat.completions.create(model="smollm2", messages=MESSAGES, response_format=FORMAT, max_tokens=60, n=2, seed=1)
    assert len(answer.choices) == 2 and answer.usage.completion_tokens > 10
    for choice in answer.choices:
        assert choice.finish_reason == "stop"
        check_place(choice.message.content)


def streamed():
    parts = client.chat.completions.create(
        model="smollm2", messages=MESSAGES, response_format=FORMAT, max_tokens=60, stream=True,
        stream_options={"include_usage": True}, logprobs=True, top_logprobs=2,
    )
    text, tokens, usage = "", 0, None
    for part in parts:
        usage = part.usage or usage
        for choice in part.choices:
            text += choice.delta.content or ""
            tokens += len(choice.logprobs.content) if choice.logprobs else 0
    check_place(text)
    assert usage.completion_tokens == tokens > 10, (usage, tokens)


def parsed():
    import pydantic

    class Pet(pydantic.BaseModel):
        name: str = pydantic.Field(max_length=10)
        age: int = pydantic.Field(ge=0, le=30)

    answer = client.chat.completions.parse(model="smollm2", messages=MESSAGES, response_format=Pet, max_tokens=60)
    assert isinstance(answer.choices[0].message.parsed, Pet)


def tools():
    ask = dict(model="smollm2", messages=MESSAGES, tools=[TOOL], tool_choice="required", parallel_tool_calls=False, max_tokens=120)
    choice = client.chat.completions.create(**ask).choices[0]
    assert choice.finish_reason == "tool_calls"
    (call,) = choice.message.tool_calls
    assert call.function.name == "find_place"
    check_place(call.function.arguments)
    name, arguments = None, ""
    with client.chat.completions.stream(**ask) as stream:
        for event in stream:
            if event.type == "tool_calls.function.arguments.delta":
                name, arguments = event.name, arguments + event.arguments_delta
    assert name == "find_place"
    check_place(arguments)
    # The conversation continues after the call.
    history = MESSAGES + [choice.message.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.id, "content": "found"}]
    answer = client.chat.completions.create(model="smollm2", messages=history, tools=[TOOL], max_tokens=20)
    assert answer.choices[0].message.content or answer.choices[0].message.tool_calls


def named():
    named = {"response_format": {"type": "ogc", "ogc": {"name": "tickets", "definition": "Ticket"}}}
    try:
        answer = client.chat.completions.create(model="smollm2", messages=MESSAGES, extra_body=named, max_tokens=300)
        assert answer.choices[0].finish_reason == "stop"
    except openai.BadRequestError as error:
        assert "definition" in str(error), error
    text = {"response_format": {"type": "ogc", "ogc": {"text": 'output Mood = "good" | "bad"'}}}
    answer = client.chat.completions.create(model="smollm2", messages=MESSAGES, extra_body=text)
    assert answer.choices[0].message.content in ("good", "bad")


def completions():
    answer = client.completions.create(model="smollm2", prompt="The capital of France is", max_tokens=5, temperature=0, logprobs=1)
    assert answer.choices[0].text.startswith(" Paris"), answer.choices[0].text
    assert len(answer.choices[0].logprobs.tokens) == 5


def refused():
    bad = {"type": "json_schema", "json_schema": {"name": "bad", "schema": {"type": "objekt"}}}
    try:
        client.chat.completions.create(model="smollm2", messages=MESSAGES, response_format=bad)
        raise AssertionError("a bad schema is refused")
    except openai.BadRequestError as error:
        assert "objekt" in error.body["message"] and error.body["findings"][0]["line"] == 1, error
    try:
        client.chat.completions.create(model="other", messages=MESSAGES)
        raise AssertionError("there is one model")
    except openai.NotFoundError:
        pass


def custom_tools():
    grammar = {"type": "grammar", "grammar": {"syntax": "lark", "definition": PATCH}}
    tool = {"type": "custom", "custom": {"name": "apply_patch", "description": "Edits files", "format": grammar}}
    choice = {"type": "custom", "custom": {"name": "apply_patch"}}
    ask = dict(model="smollm2", messages=MESSAGES, tools=[tool, TOOL], tool_choice=choice, parallel_tool_calls=False, max_tokens=150)
    (call,) = client.chat.completions.create(**ask, seed=3).choices[0].message.tool_calls
    assert call.type == "custom" and call.custom.name == "apply_patch" and PATCHED.fullmatch(call.custom.input), call


def responses():
    ask = dict(model="smollm2", input="Name a place.", max_output_tokens=60)
    answer = client.responses.create(**ask, instructions="Be brief.", text={"format": FLAT_FORMAT})
    assert answer.status == "completed" and answer.usage.output_tokens > 10, answer
    check_place(answer.output_text)
    assert client.responses.create(**{**ask, "max_output_tokens": 3}).incomplete_details.reason == "max_output_tokens"
    with client.responses.stream(**ask, text={"format": FLAT_FORMAT}) as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        assert text == stream.get_final_response().output_text
    check_place(text)
    numbers = [event.sequence_number for event in client.responses.create(**ask, stream=True)]
    assert numbers == list(range(len(numbers)))
    listed = client.responses.create(**ask, include=["message.output_text.logprobs"], top_logprobs=2)
    assert len(listed.output[0].content[0].logprobs) == listed.usage.output_tokens


def responses_parsed():
    import pydantic

    class Pet(pydantic.BaseModel):
        name: str = pydantic.Field(max_length=10)
        age: int = pydantic.Field(ge=0, le=30)

    answer = client.responses.parse(model="smollm2", input="A pet.", text_format=Pet, max_output_tokens=60)
    assert isinstance(answer.output_parsed, Pet)


def responses_tools():
    ask = dict(model="smollm2", max_output_tokens=200, parallel_tool_calls=False)
    items = [{"role": "user", "content": "Name a place."}]
    answer = client.responses.create(**ask, input=items, tools=[FLAT_TOOL], tool_choice="required")
    (call,) = answer.output
    assert call.type == "function_call" and call.name == "find_place"
    check_place(call.arguments)
    named = {"type": "custom", "name": "apply_patch"}
    with client.responses.stream(**ask, input=items, tools=[PATCH_TOOL, FLAT_TOOL], tool_choice=named) as stream:
        patch = "".join(event.delta for event in stream if event.type == "response.custom_tool_call_input.delta")
        (custom,) = stream.get_final_response().output
    assert custom.type == "custom_tool_call" and custom.input == patch and PATCHED.fullmatch(patch), patch
    # The conversation continues after the calls; their items are sent back unchanged.
    items += [call.model_dump(), {"type": "function_call_output", "call_id": call.call_id, "output": "found"}]
    items += [custom.model_dump(), {"type": "custom_tool_call_output", "call_id": custom.call_id, "output": "done"}]
    assert client.responses.create(**ask, input=items, tools=[FLAT_TOOL, PATCH_TOOL]).output


def responses_refused():
    for field, value in (("previous_response_id", "resp_1"), ("background", True), ("tools", [{"type": "web_search"}])):
        try:
            client.responses.create(model="smollm2", input="x", **{field: value})
            raise AssertionError(f"{field} is refused")
        except openai.BadRequestError as error:
            assert error.body["param"].startswith(field), error
    try:
        client.responses.retrieve("resp_1")
        raise AssertionError("no response is kept")
    except openai.NotFoundError as error:
        assert "not kept" in str(error)


TESTS = (
    models, whole, streamed, parsed, tools, named, completions, refused,
    custom_tools, responses, responses_parsed, responses_tools, responses_refused,
)
for test in TESTS:
    test()
    print(f"{test.__name__} ok")
