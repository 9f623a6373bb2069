// Events and denies over time. Dragging selects a range and opens the page for it.
(() => {
  const place = document.getElementById("chart");
  if (!place) return;
  const rows = JSON.parse(document.getElementById("series").textContent);
  const data = [0, 1, 2].map((column) => rows.map((row) => row[column]));
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const zoom = (chart) => {
    if (chart.select.width < 4) return;
    const time = (x) => new Date(chart.posToVal(x, "x") * 1000).toISOString();
    const url = new URL(location.href);
    url.searchParams.set("since", time(chart.select.left));
    url.searchParams.set("until", time(chart.select.left + chart.select.width));
    location.assign(url);
  };
  // Times are UTC, written as everywhere else: the day under the first and under each midnight.
  const text = (s) => new Date(s * 1000).toISOString().replace("T", " ").slice(0, 16);
  const times = (chart, splits, axis, space, step) => splits.map((s, n) => {
    const [day, whole] = new Date(s * 1000).toISOString().split(/[T.]/);
    if (step >= 86400) return day;
    const time = step < 60 ? whole : whole.slice(0, 5);
    return n === 0 || whole === "00:00:00" ? `${time}\n${day}` : time;
  });
  const per = `per ${place.dataset.step}`;
  const count = (chart, n) => (n == null ? "" : n.toLocaleString("en"));
  let chart;
  const draw = () => {
    if (chart) chart.destroy();
    const axis = { stroke: color("--text"), grid: { stroke: color("--line"), width: 1 },
      ticks: { stroke: color("--line"), width: 1 }, font: "12px system-ui, sans-serif" };
    const bars = uPlot.paths.bars({ size: [0.8, 60] });
    chart = new uPlot({
      width: place.clientWidth, height: 220, tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "UTC"),
      cursor: { drag: { x: true, y: false, setScale: false } },
      scales: { denies: {} },
      axes: [
        { ...axis, space: 84, values: times },
        { ...axis, size: 60, label: `events ${per}`, labelSize: 20, labelFont: axis.font },
        { ...axis, side: 1, scale: "denies", grid: { show: false }, size: 44,
          label: `denies ${per}`, labelSize: 20, labelFont: axis.font },
      ],
      series: [
        { label: "from (UTC)", value: (chart, s) => (s == null ? "point at a bar" : text(s)) },
        { label: "events", value: count, fill: color("--accent-soft"), stroke: color("--accent"), paths: bars, points: { show: false } },
        { label: "denies", value: count, scale: "denies", stroke: color("--deny"), width: 2, points: { show: false } },
      ],
      hooks: { setSelect: [zoom] },
    }, data, place);
  };
  draw();
  addEventListener("themechange", draw);
  addEventListener("resize", () => chart.setSize({ width: place.clientWidth, height: 220 }));
})();
