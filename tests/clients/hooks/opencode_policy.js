// Refuses tool calls whose arguments hold the text in ~/.capture/policy.json.
import { readFileSync } from "node:fs";

export const TestPolicy = async () => {
  const { deny } = JSON.parse(readFileSync(process.env.HOME + "/.capture/policy.json", "utf8"));
  return {
    "tool.execute.before": async (input, output) => {
      if (JSON.stringify(output.args ?? {}).includes(deny))
        throw new Error("refused by the test policy");
    },
  };
};
