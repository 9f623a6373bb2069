// The SQL editor: colours, and completion of tables and columns with what they mean.
(() => {
  const area = document.getElementById("sql");
  const schema = JSON.parse(document.getElementById("schema").textContent);
  const tables = Object.fromEntries(
    Object.entries(schema.tables).map(([name, columns]) => [name, columns.map((one) => one[0])]),
  );
  const described = (hint) => {
    const text = typeof hint === "string" ? hint : hint.text;
    const name = text.replace(/[`"]/g, "").split(".").pop();
    return {
      text,
      render: (item) => {
        const word = document.createElement("b");
        word.textContent = text;
        const said = document.createElement("span");
        said.className = "quiet";
        said.textContent = schema.meanings[name] ? ` ${schema.meanings[name]}` : "";
        item.append(word, said);
      },
    };
  };
  const hint = (editor, options) => {
    const found = CodeMirror.hint.sql(editor, options);
    return found && { ...found, list: found.list.map(described) };
  };
  const editor = CodeMirror.fromTextArea(area, {
    mode: "text/x-sql", lineNumbers: true, lineWrapping: true, viewportMargin: Infinity,
    hintOptions: { hint, tables, completeSingle: false },
    extraKeys: {
      "Ctrl-Space": "autocomplete", "Ctrl-Enter": () => area.form.requestSubmit(),
      "Cmd-Enter": () => area.form.requestSubmit(), Tab: false, "Shift-Tab": false,
    },
  });
  editor.getInputField().setAttribute("aria-label", "SQL");
  const { line, column, length } = area.dataset;
  if (line) {
    const from = { line: line - 1, ch: column - 1 };
    editor.markText(from, { line: line - 1, ch: from.ch + Number(length) }, { className: "cm-wrong" });
    editor.setCursor(from);
  }
  area.form.addEventListener("submit", () => editor.save());
})();
