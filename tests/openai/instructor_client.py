"""Tests of instructor with `ogc serve`: typed answers in each of its modes for OpenAI's interface."""

import instructor
import openai
import pydantic


class Pet(pydantic.BaseModel):
    """A pet."""

    name: str = pydantic.Field(max_length=10)
    age: int = pydantic.Field(ge=0, le=30)


MESSAGES = [{"role": "user", "content": "A pet."}]
for mode in (instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA, instructor.Mode.TOOLS_STRICT, instructor.Mode.RESPONSES_TOOLS):
    client = instructor.from_openai(openai.OpenAI(), mode=mode)
    most = {"max_output_tokens" if mode == instructor.Mode.RESPONSES_TOOLS else "max_tokens": 150}
    pet = client.chat.completions.create(model="smollm2", response_model=Pet, messages=MESSAGES, max_retries=0, **most)
    assert isinstance(pet, Pet)
    print(f"{mode.name} ok")
