"""The official Python client against `ogc serve`: texts of formats, streams, calls of tools, errors."""

import json

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
    # The conversation goes on behind the call.
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


for test in (models, whole, streamed, parsed, tools, named, completions, refused):
    test()
    print(f"{test.__name__} ok")
