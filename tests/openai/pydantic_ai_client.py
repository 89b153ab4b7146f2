"""Tests of pydantic-ai with `ogc serve`, by chats and by responses: typed outputs in each of its modes, tools, streams."""

import asyncio

import pydantic
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel

SETTINGS = {"max_tokens": 150, "temperature": 1.0}


class Pet(pydantic.BaseModel):
    name: str = pydantic.Field(max_length=10)
    age: int = pydantic.Field(ge=0, le=30)


async def check(model):
    for mode in (NativeOutput, ToolOutput):
        agent = Agent(model, output_type=mode(Pet), model_settings=SETTINGS)
        assert isinstance((await agent.run("A pet.")).output, Pet)
        async with agent.run_stream("A pet.") as result:
            assert isinstance(await result.get_output(), Pet)
        print(f"{type(model).__name__} {mode.__name__} ok")


async def main():
    await check(OpenAIChatModel("smollm2"))
    await check(OpenAIResponsesModel("smollm2"))


asyncio.run(main())
