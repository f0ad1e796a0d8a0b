/** Style of the report. It holds no colour that the paper needs: signs and places say the same. */
export const STYLE = `
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
:root { --gain: #0a7347; --loss: #b8261f; --line: #d5dce5; --line-strong: #8593a3; --text: #17202b; --muted: #53606f; --surface: #fff; }
body { margin: 0 auto; max-width: 186mm; padding: 6mm 0; color: var(--text); background: #fff; font: 9pt/1.35 system-ui, "Segoe UI", Roboto, Arial, sans-serif; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
@media print { body { padding: 0; } }
h1 { margin: 0; font-size: 16pt; overflow-wrap: anywhere; }
h2 { margin: 4mm 0 1mm; font-size: 11pt; }
p { margin: 1mm 0; overflow-wrap: anywhere; }
.muted { color: var(--muted); }
.page { max-height: 271mm; overflow: hidden; }
.page + .page { break-before: page; }
dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1.5mm 4mm; margin: 3mm 0; }
dt { color: var(--muted); font-size: 7.5pt; }
dd { margin: 0; font-weight: 600; white-space: nowrap; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35mm 1mm; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; font-size: 7.5pt; }
th:first-child, td:first-child { text-align: left; }
svg { display: block; width: 100%; height: auto; font-size: 11px; }
svg text { fill: var(--muted); }
.plot-grid { stroke: var(--line); }
.plot-axis, .plot-zero { stroke: var(--line-strong); }
.plot-gain { fill: var(--gain); }
.plot-loss { fill: var(--loss); }
.plot-winner { fill: none; stroke: var(--gain); stroke-width: 1.5; }
.plot-loser { fill: none; stroke: var(--loss); stroke-width: 2; }
.line { fill: none; stroke-width: 1.8; }
.line-equity { stroke: #0b5cc7; }
.line-held { stroke: #8a5a00; stroke-dasharray: 5 4; }
.area { fill: var(--loss); fill-opacity: 0.25; stroke: var(--loss); }
.gain { color: var(--gain); }
.loss { color: var(--loss); }
.heat-gain { background: color-mix(in srgb, var(--gain) var(--heat), #fff); }
.heat-loss { background: color-mix(in srgb, var(--loss) var(--heat), #fff); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 5mm; }
`;
