// Bars over time, in parts one on the other. A chart is an element of the class `bars` whose
// data-for names the JSON with x (epoch seconds), names and parts (a list of numbers for each).
(() => {
  // From one day on the axis to the next: never a part of a day, whose name would be there twice.
  const DAYS = [1, 2, 7, 14, 28, 91, 182, 364].map((n) => n * 86400);
  const TONES = ["--accent", "--bar-ok", "--error", "--mark", "--bar-deny", "--unknown"];
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const text = (s) => new Date(s * 1000).toISOString().replace("T", " ").slice(0, 16);
  const short = (name) => (name.length > 32 ? `${name.slice(0, 31)}…` : name);
  for (const place of document.querySelectorAll(".bars")) {
    const { names, x, parts } = JSON.parse(document.getElementById(place.dataset.for).textContent);
    const isDays = x.every((s) => s % 86400 === 0);
    const money = place.dataset.unit === "usd";
    const number = (n) => (n == null ? "" : money ? `$${n.toFixed(2)}` : n.toLocaleString("en"));
    // The tallest first: each bar covers the parts below it of the one before.
    const sums = parts.map((_, n) => x.map((_, at) =>
      parts.slice(0, n + 1).reduce((sum, part) => sum + (part[at] || 0), 0)));
    const drawn = names.map((_, n) => names.length - 1 - n);
    const step = x.slice(1).reduce((least, s, n) => Math.min(least, s - x[n]), Infinity);
    const width = Number.isFinite(step) ? step : 86400;
    let chart;
    const draw = () => {
      if (chart) chart.destroy();
      const axis = { stroke: color("--text"), grid: { stroke: color("--line"), width: 1 },
        ticks: { stroke: color("--line"), width: 1 }, font: "12px system-ui, sans-serif" };
      const paths = uPlot.paths.bars({ size: [0.8, 60, 3] });
      chart = new uPlot({
        width: place.clientWidth, height: 220, tzDate: (s) => uPlot.tzDate(new Date(s * 1000), "UTC"),
        cursor: { drag: { x: false, y: false } },
        scales: { x: { range: () => [x[0] - width / 2, x[x.length - 1] + width / 2] },
          y: { range: (chart, least, most) => [Math.min(0, least), most > 0 ? most * 1.05 : 1] } },
        axes: [
          { ...axis, space: 84, incrs: isDays ? DAYS : undefined, values: (chart, splits) => splits.map((s) => text(s).slice(0, isDays ? 10 : 16)) },
          { ...axis, size: 64, values: (chart, splits) => splits.map((n) => (money && n >= 10 ? `$${n.toLocaleString("en")}` : number(n))) },
        ],
        series: [
          { label: isDays ? "day" : "time", value: (chart, s) => (s == null ? "point at a bar" : text(s).slice(0, isDays ? 10 : 16)) },
          ...drawn.map((n) => ({ label: short(names[n]), paths, points: { show: false },
            fill: color(TONES[n % TONES.length]), stroke: color(TONES[n % TONES.length]),
            value: (chart, sum, series, at) => (at == null ? "" : number(parts[n][at])) })),
        ],
      }, [x, ...drawn.map((n) => sums[n])], place);
    };
    draw();
    addEventListener("themechange", draw);
    addEventListener("resize", () => chart.setSize({ width: place.clientWidth, height: 220 }));
  }
})();
