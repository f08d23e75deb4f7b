import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import { INTRODUCTION } from './document.ts'
import type { DescribedRoute } from './document.ts'
import { isErrorCode, ERROR_WORDS } from './error-words.ts'
import { inline, markup, prose } from './markup.ts'
import type { Markup } from './markup.ts'
import { operationArticle } from './reference-operation.ts'
import { referenceScript } from './reference-script.ts'
import { referenceStyle } from './reference-style.ts'

/** The page at `/docs`: every operation with its fields, a command to copy and its answers. */
export function referencePage(routes: readonly DescribedRoute[], baseUrl: string): string {
  const names = [...new Set(routes.map(({ operation }) => operation.group))]
  // A reader comes for the charges; what the service says of itself stands last.
  const sorted = names.sort((one, other) => Number(one === 'Service') - Number(other === 'Service'))
  const groups = sorted.map((name) => ({
    name,
    routes: routes.filter(({ operation }) => operation.group === name),
  }))
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Card service: API reference</title>
<link rel="icon" href="data:,">
<style>${{ html: referenceStyle }}</style>
</head>
<body>
<a class="skip" href="#reference">To the reference</a>
<nav aria-label="Operations">
<strong>Card service</strong>
<div data-search hidden><input type="search" aria-label="Search the reference" placeholder="Search ( / )">
<div role="status" class="kind"></div></div>
${groups.map(navigation)}
<h2>More</h2><ul><li><a href="#errors">Errors</a></li><li><a href="/openapi.json">openapi.json</a></li></ul>
</nav>
<main id="reference">
<h1>API reference</h1>
${prose(INTRODUCTION)}
<p>The commands below run as they stand once these are set:</p>
<pre tabindex="0"><code>PUBLIC_KEY=… SECRET_KEY=…   # npm start prints the demo keys
TOKEN=…                     # from the widget, or from the first command
ID=…                        # the _id of a charge</code></pre>
${groups.map(
  ({ name, routes: own }) =>
    markup`<section data-group><h2>${name}</h2>${own.map((route) => operationArticle(route, baseUrl))}</section>`,
)}
<section id="errors"><h2>Errors</h2>${errorTable()}</section>
</main>
<script type="module">${{ html: referenceScript }}</script>
</body>
</html>
`.html
}

function navigation({ name, routes }: { name: string; routes: readonly DescribedRoute[] }): Markup {
  const items = routes.map(
    ({ method, operation: { id, summary } }) =>
      markup`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span>${summary}</a></li>`,
  )
  return markup`<div data-group><h2>${name}</h2><ul>${items}</ul></div>`
}

function errorTable(): Markup {
  const rows = Object.entries(ERROR_STATUS).map(
    ([code, status]) =>
      markup`<tr><td>${status}</td><td><code>${code}</code></td><td>${isErrorCode(code) && inline(ERROR_WORDS[code])}</td></tr>`,
  )
  return markup`<table><thead><tr><th scope="col">HTTP</th><th scope="col">error.code</th><th scope="col">What to do</th></tr></thead>
<tbody>${rows}</tbody></table>`
}
