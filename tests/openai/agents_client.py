"""Tests of openai-agents with `ogc serve`: functions, a custom tool, a typed answer, streamed and not, by responses and by chats."""

import asyncio

import pydantic
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from agents.agent_output import AgentOutputSchema
from openai import AsyncOpenAI

set_tracing_disabled(True)
client = AsyncOpenAI()
SETTINGS = ModelSettings(max_tokens=150, temperature=1.0)


class Pet(pydantic.BaseModel):
    name: str = pydantic.Field(max_length=10)
    age: int = pydantic.Field(ge=0, le=30)


called = []


@function_tool
def find_place(name: str, population: int) -> str:
    """Finds a place."""
    called.append((name, population))
    return "found"


async def typed(model):
    agent = Agent(name="pets", instructions="Be brief.", model=model, model_settings=SETTINGS, output_type=AgentOutputSchema(Pet))
    answer = await Runner.run(agent, "A pet.")
    assert isinstance(answer.final_output, Pet), answer


async def tools(model):
    called.clear()
    settings = ModelSettings(max_tokens=150, tool_choice="required", parallel_tool_calls=False)
    agent = Agent(name="places", model=model, model_settings=settings, tools=[find_place], tool_use_behavior="stop_on_first_tool")
    answer = await Runner.run(agent, "Name a place.")
    assert answer.final_output == "found" and len(called) == 1, answer
    # After the call, the model answers and continues the conversation.
    agent = Agent(name="places", model=model, model_settings=settings.resolve(ModelSettings(max_tokens=60)), tools=[find_place])
    answer = await Runner.run(agent, "Name a place.", max_turns=6)
    assert len(called) >= 2 and answer.final_output is not None


async def streamed(model):
    agent = Agent(name="pets", model=model, model_settings=SETTINGS, output_type=AgentOutputSchema(Pet))
    result = Runner.run_streamed(agent, "A pet.")
    kinds = [event.type async for event in result.stream_events()]
    assert "raw_response_event" in kinds and isinstance(result.final_output, Pet)


async def main():
    for model in (OpenAIResponsesModel(model="smollm2", openai_client=client), OpenAIChatCompletionsModel(model="smollm2", openai_client=client)):
        for test in (typed, tools, streamed):
            await test(model)
            print(f"{type(model).__name__} {test.__name__} ok")


asyncio.run(main())
