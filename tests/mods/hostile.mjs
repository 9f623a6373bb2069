// Events of other mods that are hard to record; prints the lines that the mod hands on.
// node hostile.mjs REGISTER.js BRIDGE.js
import { readFileSync } from "node:fs";

const source = readFileSync(process.argv[2], "utf8");
const module = await import("data:text/javascript," + encodeURIComponent(source));
const hooks = new Map();
module.register((event, hook) => hooks.set(event, hook));
const { stringify } = JSON;
let broken = false;
const out = [];
const $ = {
  clock: { after: () => 1 },
  session: { id: async () => "s", version: async () => ({ version: "0" }) },
  process: { run: async (command, { stdin }) => { if (broken) throw new Error("gone"); out.push(stdin); } },
};

function next(trace, returned) {
  const handed = async () => returned;
  handed.trace = trace;
  handed.origin = { plugin: "engine", tier: "core" };
  return handed;
}

const ring = { a: 1 };
ring.self = ring;
let deep = "end";
for (let n = 0; n < 5000; n += 1) deep = [deep];
const thrower = { get output() { throw new Error("no"); }, text: "x" };
const proxy = new Proxy({}, { ownKeys() { throw new Error("no"); } });
const core = (received, returned) => [{ plugin: "engine", tier: "core", ms: 1, received, returned }];
const call = (id, extra) => ({ tool: "Bash", command: "curl http://evil.test", tool_use_id: id, ...extra });
const cases = {
  bigint: [call("bigint", { n: 1n }), { big: 2n }],
  ring: [call("ring", { ring }), { ring }],
  getter: [call("getter"), thrower],
  proxy: [call("proxy", { proxy }), proxy],
  deep: [call("deep"), { deep }],
  tojson: [call("tojson", { toJSON: () => ({ command: "ls" }) }), { toJSON() { throw new Error("no"); } }],
};
const shared = [[{ b: "leaf" }]];
for (let n = 0; n < 38; n += 1) shared.push([shared[n], shared[n]]);
cases.shared = [call("shared", { dag: shared[38] }), { dag: shared[38] }];
cases.endless = [{ many: new Array(2 ** 32 - 1), ...call("endless") }, new Proxy([], { get: (to, name) => (name === "length" ? 2 ** 53 : "x") })];
cases.bytes = [call("bytes", { data: new Uint8Array(50_000_000) }), { data: Buffer.alloc(50_000_000) }];
cases.proto = [JSON.parse(`{"__proto__":{"hidden":"rm"},"toJSON":"ls",${stringify(call("proto")).slice(1)}`), {}];
cases.words = [call("words", { list: ["[cut]", "after"], at: new Date(0) }), {}];
const hook = hooks.get("tool.call");
for (const [input, result] of Object.values(cases)) await hook($, input, next(core(input, result), result));
await hook($, call("nolink"), next([null, 7, ...core({}, {})], {}));
JSON.stringify = () => { throw new Error("replaced"); };
Object.prototype.toJSON = () => "lie";
Array.prototype.toJSON = () => "lie";
const clock = [Date, Date.prototype.toISOString];
Date.prototype.toISOString = () => { throw new Error("no"); };
globalThis.Date = () => { throw new Error("no"); };
await hook($, call("replaced"), next(core({}, {}), {}));
[globalThis.Date, clock[0].prototype.toISOString] = clock;
delete Object.prototype.toJSON;
JSON.stringify = stringify;
delete Array.prototype.toJSON;
await hook($, Object.assign(call("symbol")), Object.defineProperty(async () => ({}), "trace", { get() { throw Symbol("no"); } }));
const odd = { get trace() { throw new Error("no"); } };
await hook($, call("notrace"), Object.defineProperties(async () => ({}), Object.getOwnPropertyDescriptors(odd)));
await hooks.get("classic.*")($, proxy, next([], {}));
await hooks.get("session.end")($, {}, next([], {}));
broken = true;
await hook($, call("unsent"), next(core({}, {}), {}));
await hooks.get("session.end")($, {}, next([], {}));
broken = false;
await hook($, call("after"), next(core({}, {}), {}));
await hooks.get("session.end")($, {}, next([], {}));
process.stdout.write(out.join(""));

const { Bridge } = await import("data:text/javascript," + encodeURIComponent(readFileSync(process.argv[3], "utf8")));
const bridge = new Bridge("opencode", ["true"]);
bridge.put = (line) => process.stdout.write(line + "\n");
for (const [name, [input, output]] of Object.entries(cases)) bridge.send(name, { input, output });
bridge.send("config", { input: { cfg: { key: "k" }, tool_use_id: "config" } });
bridge.send(Symbol("odd"), { input: { tool_use_id: "odd", args: { headers: { a: "b" } } } });
bridge.send("long", { input: { text: "x".repeat(20_000_000), list: Array(5000).fill("y"), tool_use_id: "long" } });
bridge.send("error", { input: { tool_use_id: "error", error: new Error("why") } });
