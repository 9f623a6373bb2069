// hookstream: observes Pi's events, changes nothing. `hookstream uninstall pi` removes this file.
const COMMAND = ["@COMMAND@"];
const EVENTS = ["@EVENTS@"];

// What is recorded of an event: never the whole history, which grows with every turn.
function shown(event) {
  if (event.type === "agent_end") return { ...event, messages: event.messages.slice(-1) };
  if (event.type === "turn_end") return { ...event, toolResults: undefined };
  if (event.type === "session_before_compact") {
    const { tokensBefore, firstKeptEntryId } = event.preparation;
    return { type: event.type, preparation: { tokensBefore, firstKeptEntryId } };
  }
  return event;
}

function place(event, ctx) {
  const manager = ctx.sessionManager;
  const known = { session: manager.getSessionFile(), session_id: manager.getSessionId(), cwd: ctx.cwd };
  if (event.type !== "session_start") return known;
  return { ...known, is_resumed: manager.getEntries().some((entry) => entry.type === "message") };
}

export default function (pi) {
  // A session that takes another's place loads its extensions again: one bridge for all.
  const bridge = (globalThis[Symbol.for("hookstream.pi")] ??= new Bridge("pi", COMMAND));
  const send = (name) => (event, ctx) => {
    let payload;
    try {
      payload = { hook: name, event: shown(event), ...place(event, ctx) };
    } catch (error) {
      payload = { hook: name, event, reason: "unreadable" };
      try {
        payload.reason = `${error?.message}`;
      } catch {} // a reason that is not text
    }
    bridge.send(name, payload);
  };
  for (const name of EVENTS) {
    try {
      pi.on(name, send(name));
    } catch {}
  }
  try {
    pi.on("session_shutdown", async () => bridge.settle());
  } catch {}
}
