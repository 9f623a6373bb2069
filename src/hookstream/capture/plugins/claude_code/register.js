// hookstream: observes tool calls from inside the client. Every hook hands its event on as it came
// and gives back what came back. `hookstream uninstall claude-code` removes it.
// Nothing waits for the recording: events are collected, and one program takes many of them.
const COMMAND = ["@COMMAND@"];
const WAIT_MS = 3000;
const BATCH = 400_000; // characters that are sent at once
const LIMIT = 900_000; // characters of one record
const HELD = 256; // calls that run at the same time
// What a client without a result of its own shows of a call: kept until the call ends.
const INNER = ["PreToolUse", "PostToolUse", "PostToolUseFailure"];

let session = "";
let version;
let lines = [];
let size = 0;
let lost = 0;
let timer = null;
let sending = null;
const inner = new Map(); // call id -> records of hooks' events
const sources = new Map(); // mod -> name and marketplace

function text(value) {
  return JSON.stringify(value) ?? "null";
}

// The chain beneath, without what a link only passed on.
function chain(input, output, trace) {
  const links = Array.isArray(trace) ? trace : [];
  let received = text(input);
  const short = links.map((link) => {
    const got = text(link.received);
    const kept = { plugin: link.plugin, tier: link.tier, ms: link.ms };
    if (sources.has(link.plugin)) kept.provenance = sources.get(link.plugin);
    if (got !== received) kept.received = link.received;
    received = got;
    return kept;
  });
  let returned = null;
  for (let at = links.length - 1; at >= 0; at -= 1) {
    const gave = text(links[at].returned);
    if (gave !== returned) short[at].returned = links[at].returned;
    returned = gave;
  }
  return text(output) === returned ? { trace: short } : { trace: short, output };
}

function record(event, e, r, next, began) {
  const origin = next.origin ?? {};
  const place = { event, at: new Date().toISOString(), began, origin, session_id: session };
  return { ...place, input: e, ...chain(e, r, next.trace) };
}

function put(kept) {
  if (lost > 0) {
    const missing = lost;
    lost = 0;
    put({ event: "backlog", at: kept.at, origin: {}, session_id: session, input: { missing }, trace: [] });
  }
  const head = { vendor: "claude-code", native_event: kept.event, witness: "mod",
    received_at: kept.at, client_version: version };
  let line = text({ ...head, payload: kept });
  if (line.length > LIMIT) {
    // Too long for a line of the log: its own is told, with what it was about.
    const { input, trace, ...rest } = kept;
    const about = { tool: input?.tool, tool_use_id: input?.tool_use_id };
    const heads = (trace ?? []).map(({ plugin, tier, ms }) => ({ plugin, tier, ms }));
    line = text({ ...head, payload: { ...rest, input: about, trace: heads, output: { cut: line.length, head: "" } } });
  }
  if (size + line.length > 20 * BATCH) {
    lost += 1;
    return;
  }
  lines.push(line + "\n");
  size += line.length;
}

function keep($, event, e, r, next, began) {
  try {
    put(record(event, e, r, next, began));
    if (size > BATCH) void send($);
    else if (timer === null) timer = $.clock.after(WAIT_MS, () => { timer = null; void send($); });
  } catch {}
}

// One run of the program takes all that waits; a second one waits for the first. The session's end
// waits for the last: a container may end with the client.
async function send($) {
  while (sending !== null) await sending;
  if (lines.length === 0) return;
  const batch = lines.join("");
  lines = [];
  size = 0;
  sending = run($, batch);
  await sending;
  sending = null;
}

async function run($, batch) {
  try {
    await $.process.run(COMMAND, { stdin: batch, timeoutMs: 300_000 });
  } catch {}
}

function hold(event, e, kept) {
  const id = e?.tool_use_id;
  if (typeof id !== "string") return;
  if (!inner.has(id) && inner.size >= HELD) inner.delete(inner.keys().next().value);
  inner.set(id, [...(inner.get(id) ?? []), kept]);
}

// The client's own results have a `ref`: only another's needs what the hooks saw.
function release(e, next) {
  const held = inner.get(e?.tool_use_id) ?? [];
  inner.delete(e?.tool_use_id);
  const last = Array.isArray(next.trace) ? next.trace[next.trace.length - 1] : undefined;
  const isPlain = last?.tier === "core" && last.returned?.ref !== undefined;
  if (!isPlain) for (const kept of held) put(kept);
}

export const register = (on) => {
  on("plugin.register", async ($, e, next) => {
    const r = await next(e);
    try {
      if (typeof e?.name === "string") sources.set(e.name, e.provenance);
    } catch {}
    keep($, "plugin.register", e, r, next);
    return r;
  });
  on("session.start", async ($, e, next) => {
    const r = await next(e);
    try {
      session = (await $.session.id()) ?? session;
      version = (await $.session.version())?.version ?? version;
    } catch {}
    keep($, "session.start", e, r, next);
    return r;
  });
  on("session.end", async ($, e, next) => {
    const r = await next(e);
    keep($, "session.end", e, r, next);
    try {
      await send($);
    } catch {}
    return r;
  });
  on("prompt.submit", async ($, e, next) => {
    const r = await next(e);
    keep($, "prompt.submit", e, r, next);
    return r;
  });
  on("tool.call", async ($, e, next) => {
    const began = new Date().toISOString();
    const r = await next(e);
    try {
      release(e, next);
    } catch {}
    keep($, "tool.call", e, r, next, began);
    return r;
  });
  on("classic.*", async ($, e, next) => {
    const r = await next(e);
    try {
      if (typeof e?.session_id === "string") session = e.session_id;
      const name = e?.hook_event_name ?? "PreToolUse";
      const last = Array.isArray(next.trace) ? next.trace[next.trace.length - 1] : undefined;
      const kept = record(`classic.${name}`, e, r, next);
      // An event that no hook got is recorded at once, whatever it is.
      if (last !== undefined && last.tier !== "core") put(kept);
      else if (INNER.includes(name)) hold(name, e, kept);
      if (name === "Stop") void send($);
    } catch {}
    return r;
  });
};
