"""Tests of LangChain's ChatOpenAI with `ogc serve`, by chats and by responses: structured outputs, tools, streams."""

import pydantic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI


class Pet(pydantic.BaseModel):
    """A pet."""

    name: str = pydantic.Field(max_length=10)
    age: int = pydantic.Field(ge=0, le=30)


def find_place(name: str, population: int) -> str:
    """Finds a place."""
    return "found"


def structured(model):
    for method in ("json_schema", "function_calling"):
        assert isinstance(model.with_structured_output(Pet, method=method).invoke("A pet."), Pet), method


def tools(model):
    bound = model.bind_tools([find_place], tool_choice="required", parallel_tool_calls=False)
    messages = [HumanMessage("Name a place.")]
    answer = bound.invoke(messages)
    (call,) = answer.tool_calls
    assert call["name"] == "find_place" and set(call["args"]) >= {"name", "population"}, call
    messages += [answer, ToolMessage("found", tool_call_id=call["id"])]
    assert model.bind_tools([find_place]).invoke(messages) is not None


def streamed(model):
    bound = model.bind_tools([find_place], tool_choice="required", parallel_tool_calls=False)
    whole = None
    for part in bound.stream("Name a place."):
        whole = part if whole is None else whole + part
    assert whole.tool_calls[0]["name"] == "find_place", whole
    assert "".join(str(part.text) for part in model.stream("Hello"))


for use_responses_api in (False, True):
    model = ChatOpenAI(model="smollm2", use_responses_api=use_responses_api, max_tokens=100, temperature=1.0)
    for test in (structured, tools, streamed):
        test(model)
        print(f"{'responses' if use_responses_api else 'chats'} {test.__name__} ok")
