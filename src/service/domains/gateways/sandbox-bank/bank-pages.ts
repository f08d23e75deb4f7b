import { createHash } from 'node:crypto'
import { markup } from '../../../platform/markup.ts'
import type { Markup } from '../../../platform/markup.ts'
import { toAmount } from '../../../platform/money.ts'
import { cresOf } from './bank.ts'
import type { BankRow } from './bank-store.ts'
import { encoded } from './messages.ts'

/** A page of the bank, with its Content-Security-Policy. */
export interface BankPage {
  html: string
  /** Null: it may do what the browser lets it. */
  policy: string | null
}

/** How often a code may be wrong. */
export const MOST_TRIES = 3

/** The code that the bank takes; any other is wrong. */
export const RIGHT_CODE = '1234'

/** The page on which the card holder is asked. `isWrong`: the code that they gave was. */
export function challengePage(row: BankRow, bankUrl: string, { isWrong = false } = {}): BankPage {
  const byApp = row.page === 'app'
  const left = Math.max(1, Math.round(row.seconds_left))
  const content = markup`<h1>${byApp ? 'Approve in your app' : 'Confirm your payment'}</h1>
${paymentOf(row)}
<form method="post" action="/3ds/challenge/answer" id="answer" data-left="${left}"${byApp && markup` data-poll="${row.acs_trans_id}"`}>
<input type="hidden" name="acs" value="${row.acs_trans_id}">
${byApp ? appQuestion() : codeQuestion(row, isWrong)}
<button name="action" value="cancel" formnovalidate class="quiet">Cancel the payment</button>
</form>`
  const time = markup`<p><span id="left" role="timer">${timeOf(left)}</span> left</p>`
  return pageOf({ title: 'Confirm your payment', content, time, script: CHALLENGE_SCRIPT, bankUrl })
}

function codeQuestion({ tries }: BankRow, isWrong: boolean): Markup {
  const left = MOST_TRIES - tries
  const error = markup`<p class="error" id="error" role="alert">This code is wrong. ${left === 1 ? 'One try is left.' : `${left} tries are left.`}</p>`
  return markup`<p>We have sent a code to your phone, which ends in <b>07</b>.</p>
<label for="code">Code</label>
${isWrong && error}
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8" required
  aria-describedby="hint${isWrong && ' error'}"${isWrong && markup` aria-invalid="true"`}>
<p class="hint" id="hint">This is the sandbox: the code is 1234.</p>
<button name="action" value="code">Confirm</button>`
}

function appQuestion(): Markup {
  return markup`<p>Open the Sandbox Bank app on your phone, and approve this payment there. This page goes on by itself.</p>
<p class="hint">This is the sandbox, so there is no phone:</p>
<button name="action" value="approve">Approve as the phone would</button>
<button name="action" value="refuse">Refuse as the phone would</button>`
}

function paymentOf({ payee, amount, currency, last4 }: BankRow): Markup {
  const shown = new Intl.NumberFormat('en', { style: 'currency', currency }).format(toAmount(amount))
  return markup`<dl>
${payee !== '' && markup`<div><dt>To</dt><dd>${payee}</dd></div>`}
<div><dt>Amount</dt><dd>${shown}</dd></div>
<div><dt>Card</dt><dd>ending in ${last4}</dd></div>
</dl>`
}

/** Two digits for the seconds. */
function timeOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The page that goes back to who asked, with what the bank has decided. */
export function returnPage(row: BankRow, bankUrl: string): BankPage {
  return backPage(row, bankUrl, { name: 'cres', value: cresOf(row) })
}

/** The page in the hidden frame: it tells that the bank has looked at the browser. */
export function methodPage(row: BankRow, bankUrl: string): BankPage {
  const data = encoded({ threeDSServerTransID: row.server_trans_id })
  return backPage(row, bankUrl, { name: 'threeDSMethodData', value: data })
}

function backPage(row: BankRow, bankUrl: string, { name, value }: { name: string; value: string }): BankPage {
  const content = markup`<h1>One moment</h1>
<p>You are sent back to the shop.</p>
<form method="post" action="${row.return_url}" id="back">
<input type="hidden" name="${name}" value="${value}">
<button>Go on</button>
</form>`
  return pageOf({
    title: 'Back to the shop',
    content,
    script: BACK_SCRIPT,
    bankUrl,
    returnUrl: row.return_url,
  })
}

/** A page that only says something. */
export function noticePage(title: string, words: string, bankUrl: string): BankPage {
  return pageOf({ title, content: markup`<h1>${title}</h1><p>${words}</p>`, script: '', bankUrl })
}

interface Parts {
  title: string
  content: Markup
  /** How long it is good for. */
  time?: Markup
  script: string
  bankUrl: string
  /** Where its form may lead beside the bank. */
  returnUrl?: string
}

function pageOf({ title, content, time, script, bankUrl, returnUrl }: Parts): BankPage {
  const { html } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Sandbox Bank</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<header>${LOGO}<span>Sandbox Bank</span>${time}</header>
<main>${content}</main>
<script>${{ html: script }}</script>
</body>
</html>`
  const forms = returnUrl === undefined ? bankUrl : `${bankUrl} ${new URL(returnUrl).origin}`
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(script)}'`,
    `connect-src ${bankUrl}`,
    `form-action ${forms}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return { html, policy }
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

const LOGO: Markup = {
  html: '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M2 9 12 3l10 6v2H2zM4 13h3v5H4zm6.500 0h3v5h-3zM17 13h3v5h-3zM2 19h20v2H2z" fill="currentColor"/></svg>',
}

/** Goes back by itself. */
const BACK_SCRIPT = `document.getElementById('back').submit()`

/** Counts the time down, goes on when it is over or the app has answered, and takes one answer. */
const CHALLENGE_SCRIPT = `if (document.hasFocus()) document.getElementById('code')?.focus()
const form = document.getElementById('answer'), shown = document.getElementById('left')
const until = Date.now() + 1000 * form.dataset.left
let sent = false
const goOn = () => { if (!sent) { sent = true; HTMLFormElement.prototype.submit.call(form) } }
form.addEventListener('submit', (event) => { if (sent) event.preventDefault(); sent = true })
addEventListener('pageshow', (event) => { if (event.persisted) sent = false })
setInterval(() => {
  const left = Math.max(0, Math.round((until - Date.now()) / 1000))
  shown.textContent = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0')
  if (left === 0) goOn()
}, 1000)
if (form.dataset.poll) setInterval(async () => {
  const answer = await fetch('/3ds/challenge/state?acs=' + form.dataset.poll).catch(() => null)
  if (answer?.ok && (await answer.json()).decided) goOn()
}, 2000)`

const STYLE = `:root{color-scheme:light dark;font:16px/1.45 system-ui,sans-serif;--ink:#14213d;--paper:#fff;--quiet:#51607a;--line:#c9d1de;--brand:#0b4f6c;--on-brand:#fff;--error:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf5;--paper:#10161f;--quiet:#a9b6c9;--line:#3a475a;--brand:#7cc4e0;--on-brand:#06202c;--error:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink)}
header{display:flex;gap:8px;align-items:center;padding:10px 16px;border-bottom:1px solid var(--line);color:var(--brand);font-weight:700}
main{max-width:26rem;margin:0 auto;padding:12px 16px 16px}
h1{font-size:1.15rem;line-height:1.25;margin:0 0 8px}
p{margin:0 0 8px;text-wrap:pretty}
dl{margin:0 0 10px;padding:8px 0;border-bottom:1px solid var(--line)}
dl div{display:flex;gap:12px;justify-content:space-between}
dt{color:var(--quiet)}
dd{margin:0;font-weight:600;text-align:right;overflow-wrap:anywhere}
label{display:block;font-weight:600;margin-bottom:4px}
input:not([type=hidden]){width:100%;min-height:44px;padding:8px 12px;font:inherit;font-size:1.15rem;letter-spacing:.15em;color:inherit;background:var(--paper);border:1px solid var(--quiet);border-radius:6px}
input[aria-invalid]{border:2px solid var(--error)}
button{width:100%;min-height:44px;margin-top:6px;padding:8px 16px;font:inherit;font-weight:600;border:1px solid var(--brand);border-radius:6px;background:var(--brand);color:var(--on-brand);cursor:pointer}
button.quiet,button[value=refuse]{background:transparent;color:var(--brand)}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.hint{font-size:.875rem;color:var(--quiet)}
.hint:has(+button[value=code]){margin-top:8px}
header p{margin:0 0 0 auto;font-weight:400;font-size:.875rem;color:var(--quiet)}
@media(max-width:300px){:root{font-size:14px}header{padding:6px 12px}main{padding:8px 12px 12px}input:not([type=hidden]),button{min-height:38px}}
.error{color:var(--error);font-weight:600}
@media(forced-colors:active){button,input{border-color:ButtonText}}`
