// Blocks tool calls whose arguments hold the text in ~/.capture/policy.json.
import { readFileSync } from "node:fs";

export default function (pi) {
  const { deny } = JSON.parse(readFileSync(process.env.HOME + "/.capture/policy.json", "utf8"));
  pi.on("tool_call", (event) => {
    if (JSON.stringify(event.input ?? {}).includes(deny))
      return { block: true, reason: "refused by the test policy" };
  });
}
