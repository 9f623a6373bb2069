// Appends every hook call and bus event that ~/.capture/a-recorder.json names, one line each.
import { appendFileSync, readFileSync } from "node:fs";

export const TestRecorder = async () => {
  const { file, events } = JSON.parse(
    readFileSync(process.env.HOME + "/.capture/a-recorder.json", "utf8"));
  const record = (event, payload) => {
    if (events.includes(event)) appendFileSync(file, JSON.stringify({ event, payload }) + "\n");
  };
  const hooks = { event: async ({ event }) => record(event.type, { event }) };
  for (const name of ["chat.message", "tool.execute.before", "tool.execute.after",
    "experimental.text.complete"])
    hooks[name] = async (input, output) => record(name, { input, output });
  return hooks;
};
