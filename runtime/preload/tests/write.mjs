// Writes a text of each grammar with node-llama-cpp, and prints them as JSON, `null` for a grammar that is refused.
// Arguments: the folder in which it is installed, the model, and the grammars as a JSON list.
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

const [folder, modelPath, grammars] = process.argv.slice(2);
const found = createRequire(folder + "/package.json").resolve("node-llama-cpp");
const {getLlama, LlamaChatSession} = await import(pathToFileURL(found).href);
const llama = await getLlama({gpu: false, build: "never", skipDownload: true, logLevel: "error", maxThreads: 1});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: 512});
const sequence = context.getSequence();
const texts = [];
for (const text of JSON.parse(grammars)) {
    try {
        const grammar = await llama.createGrammar({grammar: text});
        await sequence.clearHistory();
        const session = new LlamaChatSession({contextSequence: sequence});
        texts.push(await session.prompt("Tell me of a person.", {grammar, maxTokens: 60}));
        session.dispose({disposeSequence: false});
    } catch (error) {
        console.error(String(error));
        texts.push(null);
    }
}
console.log(JSON.stringify(texts));
await llama.dispose();
