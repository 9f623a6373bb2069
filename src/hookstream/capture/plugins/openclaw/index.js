// hookstream: observes every hook of OpenClaw and answers none.
import { readFileSync } from "node:fs";
import { Bridge } from "./bridge.js";

const { command, events } = JSON.parse(readFileSync(new URL("./settings.json", import.meta.url), "utf8"));
// Before others: a plugin that blocks ends the round. A call's result is reported after it.
const FIRST = { priority: 1_000_000 };

export default {
  id: "hookstream",
  name: "hookstream",
  description: "Audit stream: observes, never answers",
  register(api) {
    const bridge = new Bridge("openclaw", command);
    for (const name of events) {
      try {
        api.on(name, (event, ctx) => { bridge.send(name, { hook: name, event, ctx }); }, FIRST);
      } catch {}
    }
  },
};
