// hookstream: observes the callbacks and the bus, changes nothing. `hookstream uninstall @CLIENT@`
// removes this file.
const COMMAND = ["@COMMAND@"];
// Callbacks that hold the provider's key, or repeat what the bus says, are left out.
const CALLBACKS = ["chat.message", "command.execute.before", "tool.execute.before",
  "tool.execute.after", "permission.ask", "experimental.text.complete"];
// The client's screen and bookkeeping.
const SCREEN = /^(tui|lsp|pty|ide|server|global|installation|integration|catalog|models-dev|reference|plugin|project|workspace|worktree)\.|^message\.part\.delta$|^session\.updated$|^file\.watcher\./;

export const Hookstream = async ({ directory } = {}) => {
  const bridge = new Bridge("@CLIENT@", COMMAND);
  const hooks = {
    event: async (given) => {
      let event, type;
      try {
        event = given?.event;
        type = event?.type;
        if (!event || SCREEN.test(type)) return;
      } catch {} // what cannot be read is an event, too
      bridge.send(type, { event, cwd: directory });
    },
    dispose: async () => {
      bridge.send("dispose", { cwd: directory });
      await bridge.settle();
    },
  };
  for (const name of CALLBACKS)
    hooks[name] = async (input, output) => bridge.send(name, { input, output, cwd: directory });
  return hooks;
};
