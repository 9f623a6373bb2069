// A mod that denies, answers, rewrites and masks calls, and keeps one event from all hooks.
const made = { stdout: "made up", stderr: "", interrupted: false, isImage: false };

export const register = (on) => {
  on("tool.call", { tool: "Bash" }, async ($, e, next) => {
    if (e.command.includes("deny")) return { deny: "not this one" };
    if (e.command.includes("answer")) return { result: made };
    if (e.command.includes("rewrite"))
      return next({ ...e, command: e.command.replace("rewrite", "changed") });
    const r = await next(e);
    return e.command.includes("mask") ? { result: { ...r.result, stdout: "****" } } : r;
  });
  on("classic.PostToolUse", async () => ({}));
};
