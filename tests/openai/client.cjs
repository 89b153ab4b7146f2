// The official Node client against `ogc serve`: texts of formats, streams, calls of tools, errors.

const assert = require("node:assert");
const OpenAI = require("openai");

const client = new OpenAI();
const place = {
  type: "object",
  properties: { name: { type: "string", maxLength: 20 }, population: { type: "integer", minimum: 1 } },
  required: ["name", "population"],
  additionalProperties: false,
};
const format = { type: "json_schema", name: "place", strict: true, schema: place };
const sum = { type: "grammar", syntax: "lark", definition: 'start: "sum:\\n" term\nterm: /[0-9]{1,3}/ | "(" term "+" term ")"' };
const model = "smollm2";
const messages = [{ role: "user", content: "Name a place." }];
const response_format = { type: "json_schema", json_schema: { name: "place", strict: true, schema: place } };
const tools = [{ type: "function", function: { name: "find_place", parameters: place, strict: true } }];

function check(text) {
  const found = JSON.parse(text);
  assert.deepEqual(Object.keys(found).sort(), ["name", "population"]);
  assert([...found.name].length <= 20 && found.population >= 1, text);
}

const tests = {
  async whole() {
    const answer = await client.chat.completions.create({ model, messages, response_format, max_tokens: 60 });
    check(answer.choices[0].message.content);
  },
  async streamed() {
    const parts = await client.chat.completions.create({ model, messages, response_format, max_tokens: 60, stream: true });
    let text = "";
    for await (const part of parts) text += part.choices[0].delta.content ?? "";
    check(text);
  },
  async called() {
    const runner = client.chat.completions.stream({ model, messages, tools, tool_choice: "required", parallel_tool_calls: false, max_tokens: 120 });
    const answer = await runner.finalChatCompletion();
    const [call] = answer.choices[0].message.tool_calls;
    assert.equal(call.function.name, "find_place");
    check(call.function.arguments);
  },
  async stopped() {
    const parts = await client.chat.completions.create({ model, messages, max_tokens: 400, stream: true });
    for await (const part of parts) if (part.choices[0].delta.content) break;
    parts.controller.abort();
  },
  async responses() {
    const input = "Name a place.";
    const answer = await client.responses.create({ model, input, text: { format }, max_output_tokens: 60 });
    check(answer.output_text);
    const stream = client.responses.stream({ model, input, text: { format }, max_output_tokens: 60 });
    let text = "";
    stream.on("response.output_text.delta", (event) => (text += event.delta));
    assert.equal((await stream.finalResponse()).output_text, text);
    check(text);
  },
  async customTools() {
    const tools = [{ type: "custom", name: "sum", format: sum }, { type: "function", name: "find_place", parameters: place, strict: true }];
    const parts = await client.responses.create({ model, input: "Add.", tools, tool_choice: { type: "custom", name: "sum" },
      parallel_tool_calls: false, max_output_tokens: 150, stream: true });
    let input = "", last;
    for await (const event of parts) {
      if (event.type === "response.custom_tool_call_input.delta") input += event.delta;
      last = event;
    }
    assert.equal(last.type, "response.completed");
    assert.equal(last.response.output[0].input, input);
    assert.match(input, /^sum:\n[0-9(]/);
  },
  async refused() {
    const bad = { type: "ogc", ogc: { text: "output A = strin" } };
    await assert.rejects(client.chat.completions.create({ model, messages, response_format: bad }), (error) => {
      assert.equal(error.status, 400);
      assert.equal(error.error.findings[0].column, 12);
      return true;
    });
  },
};

(async () => {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`${name} ok`);
  }
})();
