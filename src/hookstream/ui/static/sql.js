// The SQL editor: colours, and completion of tables and columns.
(() => {
  const area = document.getElementById("sql");
  const schema = JSON.parse(document.getElementById("schema").textContent);
  const tables = Object.fromEntries(
    Object.entries(schema).map(([name, columns]) => [name, columns.map((column) => column[0])]),
  );
  const editor = CodeMirror.fromTextArea(area, {
    mode: "text/x-sql", lineNumbers: true, lineWrapping: true, viewportMargin: Infinity,
    hintOptions: { tables, completeSingle: false },
    extraKeys: {
      "Ctrl-Space": "autocomplete", "Ctrl-Enter": () => area.form.requestSubmit(),
      "Cmd-Enter": () => area.form.requestSubmit(), Tab: false, "Shift-Tab": false,
    },
  });
  editor.getInputField().setAttribute("aria-label", "SQL");
  area.form.addEventListener("submit", () => editor.save());
})();
