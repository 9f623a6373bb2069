// The mod's own time for an event, in microseconds: what it adds to a call in Claude Code apart from
// the client's hand-over. node benchmarks/mods/run.mjs [CALLS]
import { readFileSync } from "node:fs";

const calls = Number(process.argv[2] ?? 20000);
const source = new URL("../../src/hookstream/capture/plugins/claude_code/register.js", import.meta.url);
const module = await import("data:text/javascript," + encodeURIComponent(readFileSync(source, "utf8")));
const hooks = new Map();
module.register((event, hook) => hooks.set(event, hook));
let runs = 0;
const $ = {
  clock: { after: () => 1 },
  session: { id: async () => "s", version: async () => ({ version: "0" }) },
  process: { run: async () => { runs += 1; } },
};

function next(event, given, returned) {
  const handed = async () => {
    handed.trace = [{ index: 1, plugin: "engine", tier: "core", event, ms: 1, received: given, returned }];
    return returned;
  };
  handed.origin = { plugin: "engine", tier: "core" };
  return handed;
}

async function timed(name, event, given, returned) {
  const hook = hooks.get(event.startsWith("classic.") ? "classic.*" : event);
  const began = process.hrtime.bigint();
  for (let n = 0; n < calls; n += 1) await hook($, { ...given, tool_use_id: `t${n}` }, next(event, given, returned));
  const each = Number(process.hrtime.bigint() - began) / 1000 / calls;
  console.log(`${name.padEnd(34)} ${each.toFixed(1)} microseconds`);
}

const result = { ref: 1, result: { stdout: "x".repeat(2000), stderr: "" }, text: "x".repeat(2000) };
await timed("tool.call, 2 KB result", "tool.call", { tool: "Bash", command: "echo x" }, result);
const large = { ref: 1, result: { stdout: "x".repeat(100000) }, text: "x".repeat(100000) };
await timed("tool.call, 100 KB result", "tool.call", { tool: "Bash", command: "echo x" }, large);
await timed("a hook's event", "classic.Stop", { hook_event_name: "Notification", session_id: "s" }, {});
console.log(`programs started for ${2 * calls} calls: ${runs}`);
