// Appends every event that ~/.capture/recorder.json names, one line each.
import { appendFileSync, readFileSync } from "node:fs";

export default function (pi) {
  const { file, events } = JSON.parse(
    readFileSync(process.env.HOME + "/.capture/recorder.json", "utf8"));
  for (const event of events)
    pi.on(event, (payload) => {
      appendFileSync(file, JSON.stringify({ event, payload }) + "\n");
    });
}
