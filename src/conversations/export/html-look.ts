// How an exported page looks: readable in light and in dark, on paper and on a small screen.

export const look = `
:root{--paper:#fff;--ink:#1c1e21;--faint:#667;--line:#d8dbe0;--shade:#f5f6f8;--mark:#3b6ea5;
--keyword:#8a2f8f;--string:#2a7a2e;--number:#0b7285;--call:#245bb5;--comment:#6b7280;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#dfe2e6;--faint:#98a0aa;--line:#33383f;--shade:#1e2126;--mark:#6ea8e0;
--keyword:#d59bd9;--string:#8fcf93;--number:#6cc7d6;--call:#8ab4f8;--comment:#8b949e;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:54rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1.5rem}
h2,h3,h4,h5,h6{line-height:1.3;margin:1.4em 0 .5em}h2{font-size:1.25rem}h3{font-size:1.1rem}h4,h5,h6{font-size:1rem}
p,ul,ol{margin:.6em 0}a{color:var(--mark)}
.preface{border:1px solid var(--line);border-radius:8px;padding:.4rem 1rem;margin:0 0 1.5rem;color:var(--faint)}
.user{margin:1.6rem 0 1rem;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--mark)}
.typed{white-space:pre-wrap;overflow-wrap:anywhere;font-weight:500}
.words{margin:1rem 0;overflow-wrap:anywhere}
.block{margin:1rem 0}
.label{font:12px/1.4 ui-monospace,monospace;color:var(--faint);margin:0 0 .2rem}
pre{margin:0;padding:.7rem .9rem;overflow-x:auto;font:13.5px/1.45 ui-monospace,"SFMono-Regular",Menlo,Consolas,monospace;tab-size:4}
code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,monospace;font-size:.9em}
p code,li code,td code{background:var(--shade);padding:.1em .3em;border-radius:4px}
pre code{font-size:inherit}
.code{background:var(--shade);border:1px solid var(--line);border-radius:8px}
.words .code{margin:.6em 0}
.results{margin:.35rem 0 0;padding-left:.6rem;border-left:2px solid var(--line)}
.output{padding:.35rem .6rem;color:var(--ink)}
.error .code,.exited .code,.timeout .code,.interrupted .code{border-color:var(--bad)}
.remark{font-size:.85rem;color:var(--faint);margin:.3rem .6rem}.error>.remark{color:var(--bad)}
.picture{margin:.5rem .6rem}img{max-width:100%;height:auto;background:#fff;border-radius:4px}
iframe{width:100%;height:22rem;border:1px solid var(--line);border-radius:8px;background:#fff;resize:vertical}
.table{overflow-x:auto;margin:.4rem .6rem}table{border-collapse:collapse;font-size:.88rem}
th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;white-space:pre-wrap}
thead th{border-bottom:2px solid var(--line)}.number{text-align:right;font-variant-numeric:tabular-nums}
blockquote{margin:.6em 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--faint)}
hr{border:0;border-top:1px solid var(--line);margin:1.5rem 0}
.thinking{color:var(--faint);margin:.8rem 0}
.k{color:var(--keyword)}.s{color:var(--string)}.n{color:var(--number)}.f{color:var(--call)}.c{color:var(--comment);font-style:italic}
@media print{main{max-width:none}.code,.picture,table{break-inside:avoid}pre{white-space:pre-wrap}}
`;
