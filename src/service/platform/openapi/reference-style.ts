/** How the reference looks: two columns, light or dark as the reader's system is. */
export const referenceStyle = `
:root{color-scheme:light dark;--ink:#1b2130;--soft:#586174;--line:#e2e6ee;--page:#fff;--tint:#f5f7fb;--code:#111827;
--code-ink:#e5e9f3;--accent:#2347c5;--get:#0b6b45;--post:#2347c5;--put:#8a5300;--delete:#ab2438;--mark:#fff3bf}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9f2;--soft:#9aa4b8;--line:#2a3142;--page:#12161f;--tint:#191f2b;
--code:#0b0e15;--code-ink:#dfe4f0;--accent:#9db4ff;--get:#6fd6a8;--post:#9db4ff;--put:#f0c074;--delete:#ff9ba8;--mark:#4a4012}}
*{box-sizing:border-box}html{scroll-padding-top:1.5rem}
body{margin:0;color:var(--ink);background:var(--page);font:16px/1.6 system-ui,sans-serif;display:grid;
grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--accent)}a:focus-visible,input:focus-visible,summary:focus-visible,pre:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem 1rem;z-index:1}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1.25rem;background:var(--tint);border-right:1px solid var(--line);font-size:.9rem}
nav strong{font-size:1.05rem}nav input{width:100%;margin:1rem 0 .25rem;padding:.55rem .7rem;font:inherit;color:inherit;background:var(--page);
border:1px solid var(--soft);border-radius:.5rem}nav h2{font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:1.25rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav a{display:flex;gap:.5rem;padding:.25rem 0;color:inherit;text-decoration:none}nav a:hover{color:var(--accent)}
nav .method{flex:0 0 3.6rem;font-size:.7rem;line-height:1.45rem}
main{padding:2.5rem clamp(1.25rem,4vw,4rem) 6rem;max-width:76rem}
h1{font-size:2.1rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.02em}main>section>h2{margin:3.5rem 0 0;font-size:1.5rem}
article{padding:2rem 0;border-bottom:1px solid var(--line);display:grid;gap:0 2.5rem;grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
article>header{grid-column:1/-1}article h3{margin:0;font-size:1.2rem}h4{margin:1.5rem 0 .5rem;font-size:.85rem;color:var(--soft)}
.path{margin:.35rem 0 .5rem;font:600 .95rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.method{font:700 .8rem/1.5 ui-monospace,monospace}.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
code{font:.88em ui-monospace,monospace;background:var(--tint);border-radius:.25rem;padding:.1em .3em}
pre{margin:0;padding:1rem;max-height:26rem;overflow:auto;background:var(--code);color:var(--code-ink);border-radius:.6rem;font:.8rem/1.55 ui-monospace,monospace}
pre code{background:none;padding:0;font:inherit}
dl{margin:0}dl>div{padding:.5rem 0;border-top:1px solid var(--line)}dt{display:flex;flex-wrap:wrap;gap:.5rem;align-items:baseline}dd{margin:0;color:var(--soft);font-size:.92rem}
.kind{color:var(--soft);font-size:.8rem}.must{color:var(--delete);font-size:.8rem}
details{border-top:1px solid var(--line);padding:.4rem 0}summary{cursor:pointer}summary b{font-family:ui-monospace,monospace}details p{font-size:.92rem;margin:.4rem 0}
table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
.none{color:var(--soft)}[hidden]{display:none!important}
@media(max-width:60rem){body{display:block}nav{position:static;height:auto;border:0}article{display:block}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{nav{display:none}body{display:block}}
`
