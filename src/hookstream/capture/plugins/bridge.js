// Hands events to hookstream without ever waiting for it. The agent's thread only writes a line
// into a pipe; the program at its other end normalises, redacts and appends. Nothing here throws.
import { spawn, spawnSync } from "node:child_process";

const BACKLOG_BYTES = 32 * 1024 * 1024;
const RESTART_MS = 2000;
const LAST_MS = 3000;

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
const LINE = 5 * 1024 * 1024; // characters, of up to three bytes
// A client's whole configuration, which holds keys; not what a tool was given.
const LEFT_OUT = { __proto__: null, cfg: 1, config: 1, provider: 1, headers: 1 };

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
    if (typeof AbortSignal !== "undefined" && value instanceof AbortSignal) return undefined;
    if (value instanceof Error) return { __proto__: null, name: `${value.name}`, message: `${value.message}` };
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
      if (depth < 3 && LEFT_OUT[names[at]]) continue;
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

export class Bridge {
  constructor(vendor, command) {
    this.vendor = vendor;
    this.command = command;
    this.child = null;
    this.startedAt = 0;
    this.waiting = [];
    this.held = 0;
    this.lost = 0;
    process.once("exit", () => this.last());
  }

  send(event, payload) {
    try {
      const native_event = typeof event === "string" ? event : "event";
      const record = { vendor: this.vendor, native_event, received_at: now(), payload: payload ?? null };
      let text = stringify(bounded(record));
      if (text.length > LINE) text = stringify(plain(record, null, { ...SHORT }));
      this.put(text);
    } catch {
      this.lost += 1;
    }
  }

  put(text) {
    const line = Buffer.from(text + "\n");
    if (this.held + line.length > BACKLOG_BYTES) {
      this.lost += 1;
      return;
    }
    if (this.lost) {
      const lost = this.lost;
      this.lost = 0;
      this.put(stringify({ vendor: this.vendor, native_event: "backlog", payload: lost }));
    }
    const entry = { line, taken: false };
    this.waiting.push(entry);
    this.held += line.length;
    if (this.child) this.write(entry);
    else this.start();
  }

  start() {
    const at = Clock.now();
    if (at - this.startedAt < RESTART_MS) return;
    this.startedAt = at;
    const [program, ...words] = this.command;
    let child;
    try {
      child = spawn(program, words, { stdio: ["pipe", "ignore", "ignore"], detached: true });
    } catch {
      return; // the lines wait for the next start
    }
    const gone = () => { if (this.child === child) this.child = null; };
    child.on("error", gone);
    child.on("exit", gone);
    child.stdin.on("error", gone);
    child.unref();
    child.stdin.unref?.();
    this.child = child;
    for (const entry of [...this.waiting]) this.write(entry);
  }

  write(entry) {
    const child = this.child;
    child.stdin.write(entry.line, (error) => {
      if (error) {
        if (this.child === child) this.child = null;
        return;
      }
      const at = this.waiting.indexOf(entry);
      if (at >= 0) {
        this.waiting.splice(at, 1);
        this.held -= entry.line.length;
      }
    });
  }

  // Gives the pipe a moment, for hosts that wait for their plugins at the end.
  async settle(limit = 500) {
    const until = Clock.now() + limit;
    while (this.waiting.length && Clock.now() < until) await new Promise((r) => setTimeout(r, 5));
  }

  // The process ends: what no pipe has taken goes out in one run of the program.
  last() {
    try {
      if (!this.waiting.length) return;
      const [program, ...words] = [...this.command, "--last"];
      const input = Buffer.concat(this.waiting.map((entry) => entry.line));
      this.waiting = [];
      spawnSync(program, words, { input, stdio: ["pipe", "ignore", "ignore"], timeout: LAST_MS });
    } catch {}
  }
}
