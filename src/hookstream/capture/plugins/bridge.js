// Hands events to hookstream without ever waiting for it. The agent's thread only writes a line
// into a pipe; the program at its other end normalises, redacts and appends. Nothing here throws.
import { spawn, spawnSync } from "node:child_process";

const BACKLOG_BYTES = 32 * 1024 * 1024;
const RESTART_MS = 2000;
const LAST_MS = 3000;

// Values that JSON can carry, read once: a getter, a proxy, a toJSON or a ring of another's is data.
// What JSON needs is kept as it was at load: others run in this engine.
const stringify = JSON.stringify;
const { isArray } = Array;
const { keys, defineProperty } = Object;
const OWN = { __proto__: null, value: undefined }; // no toJSON of a prototype's
const DEPTH = 40;
// A client's whole configuration, which holds keys.
const LEFT_OUT = ["cfg", "config", "provider", "headers"];

function plain(value, above = []) {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (value === null || typeof value !== "object") return value;
  if (above.length >= DEPTH) return "[deep]";
  if (above.includes(value)) return "[circular]";
  const inside = [...above, value];
  try {
    if (typeof AbortSignal !== "undefined" && value instanceof AbortSignal) return undefined;
    if (value instanceof Error) return { name: `${value.name}`, message: `${value.message}` };
    if (isArray(value)) {
      const list = [];
      for (let at = 0; at < value.length; at += 1) list[at] = item(value, at, inside) ?? null;
      return defineProperty(list, "toJSON", OWN);
    }
    const copy = {};
    for (const name of keys(value)) {
      if (LEFT_OUT.includes(name)) continue;
      const kept = item(value, name, inside);
      if (kept !== undefined && name !== "toJSON") copy[name] = kept;
    }
    return defineProperty(copy, "toJSON", OWN);
  } catch {
    return "[unreadable]";
  }
}

function item(value, name, above) {
  try {
    return plain(value[name], above);
  } catch {
    return "[unreadable]";
  }
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
    const record = { vendor: this.vendor, native_event: event, received_at: new Date().toISOString() };
    try {
      this.put(stringify(plain({ ...record, payload: payload ?? null })));
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
    const now = Date.now();
    if (now - this.startedAt < RESTART_MS) return;
    this.startedAt = now;
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
    const until = Date.now() + limit;
    while (this.waiting.length && Date.now() < until) await new Promise((r) => setTimeout(r, 5));
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
