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

// Values that JSON can carry, read once: a getter, a proxy, a toJSON or a ring of another's is data.
// What JSON needs is kept as it was at load: others run in this engine.
const { stringify } = JSON;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { keys, defineProperty } = Object;
const { apply } = Reflect;
const Clock = Date;
const { toISOString } = Date.prototype;
const OWN = { __proto__: null, value: undefined }; // no toJSON of a prototype's
const DEPTH = 40;
const VALUES = 200_000; // of one record: objects that share parts have no end
const CUT = "[cut]";
// Of a record that is too much for a line: the beginning of each text and list.
const WHOLE = { values: VALUES, items: Infinity, text: Infinity };
const SHORT = { values: 2000, items: 16, text: 1024 };

function own(value) {
  return defineProperty(value, "toJSON", OWN);
}

function now(time = new Clock()) {
  return apply(toISOString, time, []);
}

function plain(value, above = null, left = { ...WHOLE }) {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value === "string" && value.length > left.text) return value.slice(0, left.text) + CUT;
  if (value === null || typeof value !== "object") return value;
  let depth = 0;
  for (let link = above; link !== null; link = link.above) {
    if (link.value === value) return "[circular]";
    depth += 1;
  }
  if (depth >= DEPTH) return "[deep]";
  const inside = { value, above };
  try {
    if (value instanceof Clock) return now(value);
    if (isView(value)) return `[${value.byteLength} bytes]`;
    if (isArray(value)) {
      const list = [];
      for (let at = 0; at < value.length && at < left.items && left.values >= 0; at += 1)
        list[at] = item(value, at, inside, left) ?? null;
      if (value.length > left.items) list[left.items] = CUT;
      return own(list);
    }
    const copy = { __proto__: null };
    const names = keys(value);
    for (let at = 0; at < names.length && left.values >= 0; at += 1) {
      const kept = item(value, names[at], inside, left);
      if (kept !== undefined) copy[names[at]] = kept;
    }
    return copy;
  } catch {
    return "[unreadable]";
  }
}

function item(value, name, above = null, left = { ...WHOLE }) {
  left.values -= 1;
  if (left.values < 0) return CUT;
  try {
    return plain(value[name], above, left);
  } catch {
    return "[unreadable]";
  }
}

// A record that would be too much has of each list and text the beginning.
function bounded(value) {
  const left = { ...WHOLE };
  const kept = plain(value, null, left);
  return left.values < 0 ? plain(value, null, { ...SHORT }) : kept;
}

function text(value) {
  return stringify(value) ?? "null";
}

// The chain beneath, without what a link only passed on.
function chain(input, output, trace) {
  const links = isArray(trace) ? trace.filter((link) => link !== null && typeof link === "object") : [];
  let received = text(input);
  const short = links.map((link) => {
    const got = text(link.received);
    const kept = own({ plugin: link.plugin, tier: link.tier, ms: link.ms });
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
  own(short);
  return text(output) === returned ? { trace: short } : { trace: short, output };
}

function record(event, e, r, next, began) {
  const { origin, trace } = plain({ origin: next.origin ?? {}, trace: next.trace });
  const input = bounded(e) ?? null;
  const place = { event, at: now(), began, origin, session_id: session };
  return own({ ...place, input, ...chain(input, bounded(r), trace) });
}

// An event that could not be recorded: what it was about, and why. One that not even this says is
// counted with what the program did not take.
function missed(event, e, error) {
  try {
    const tool = item(e, "tool") ?? item(e, "tool_name");
    const input = { tool, tool_use_id: item(e, "tool_use_id") };
    let reason = "unreadable";
    try {
      reason = `${error?.message ?? error}`.slice(0, 200);
    } catch {} // a reason that is not text
    const output = { cut: 0, head: "" };
    put(plain({ event, at: now(), origin: {}, session_id: session, input, trace: [], output, reason }));
  } catch {
    lost += 1;
  }
}

function put(kept) {
  if (lost > 0) {
    const missing = lost;
    lost = 0;
    put(plain({ event: "backlog", at: kept.at, origin: {}, session_id: session, input: { missing }, trace: [] }));
  }
  const head = { vendor: "claude-code", native_event: kept.event, witness: "mod",
    received_at: kept.at, client_version: version };
  let line = text(own({ ...head, payload: kept }));
  if (line.length > LIMIT) {
    // Too long for a line of the log: its own is told, with what it was about.
    const { input, trace, ...rest } = kept;
    const about = plain(input, null, { ...SHORT });
    const heads = (trace ?? []).map(({ plugin, tier, ms }) => ({ plugin, tier, ms }));
    line = text(plain({ ...head, payload: { ...rest, input: about, trace: heads, output: { cut: line.length, head: "" } } }));
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
  } catch (error) {
    missed(event, e, error);
  }
  try {
    if (size > BATCH) void send($);
    else if (timer === null) timer = $.clock.after(WAIT_MS, () => { timer = null; void send($); });
  } catch {} // goes with the next
}

// One run of the program takes all that waits; a second one waits for the first. The session's end
// waits for the last: a container may end with the client.
async function send($) {
  while (sending !== null) await sending;
  if (lines.length === 0) return;
  const batch = lines;
  lines = [];
  size = 0;
  sending = run($, batch);
  await sending;
  sending = null;
}

async function run($, batch) {
  try {
    await $.process.run(COMMAND, { stdin: batch.join(""), timeoutMs: 300_000 });
  } catch {
    lost += batch.length;
  }
}

function hold(event, kept) {
  const id = kept.input?.tool_use_id;
  if (typeof id !== "string") return put(kept);
  if (!inner.has(id) && inner.size >= HELD) inner.delete(inner.keys().next().value);
  inner.set(id, [...(inner.get(id) ?? []), kept]);
}

// The client's own results have a `ref`: only another's needs what the hooks saw.
function release(e, next) {
  const { id, trace } = plain({ id: e?.tool_use_id, trace: next.trace });
  const held = inner.get(id) ?? [];
  inner.delete(id);
  const last = isArray(trace) ? trace[trace.length - 1] : undefined;
  const isPlain = last?.tier === "core" && last.returned?.ref !== undefined;
  if (!isPlain) for (const kept of held) put(kept);
}

export const register = (on) => {
  on("plugin.register", async ($, e, next) => {
    const r = await next(e);
    try {
      if (typeof e?.name === "string") sources.set(e.name, plain(e.provenance));
    } catch {} // the event itself is recorded below
    keep($, "plugin.register", e, r, next);
    return r;
  });
  on("session.start", async ($, e, next) => {
    const r = await next(e);
    try {
      session = plain((await $.session.id()) ?? session);
      version = plain((await $.session.version())?.version ?? version);
    } catch {} // a client that does not say so
    keep($, "session.start", e, r, next);
    return r;
  });
  on("session.end", async ($, e, next) => {
    const r = await next(e);
    keep($, "session.end", e, r, next);
    await send($);
    return r;
  });
  on("prompt.submit", async ($, e, next) => {
    const r = await next(e);
    keep($, "prompt.submit", e, r, next);
    return r;
  });
  on("tool.call", async ($, e, next) => {
    const began = now();
    const r = await next(e);
    try {
      release(e, next);
    } catch {} // what cannot be read is reported with the call
    keep($, "tool.call", e, r, next, began);
    return r;
  });
  on("classic.*", async ($, e, next) => {
    const r = await next(e);
    try {
      const kept = record("classic.PreToolUse", e, r, next);
      if (typeof kept.input?.session_id === "string") session = kept.session_id = kept.input.session_id;
      const name = `${kept.input?.hook_event_name ?? "PreToolUse"}`;
      kept.event = `classic.${name}`;
      const last = kept.trace[kept.trace.length - 1];
      // An event that no hook got is recorded at once, whatever it is.
      if (last !== undefined && last.tier !== "core") put(kept);
      else if (INNER.includes(name)) hold(name, kept);
      if (name === "Stop") void send($);
    } catch (error) {
      missed("classic.*", e, error);
    }
    return r;
  });
};
