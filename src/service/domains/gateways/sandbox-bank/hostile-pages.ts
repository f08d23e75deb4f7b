import { markup } from '../../../platform/markup.ts'
import { cresOf } from './bank.ts'
import type { BankPage } from './bank-pages.ts'
import type { BankRow } from './bank-store.ts'
import { HOSTILITIES } from './bank-cards.ts'
import type { Hostility, Page } from './bank-cards.ts'

export function isHostile(page: Page): page is Hostility {
  return HOSTILITIES.some((one) => one === page)
}

/** Two of other payments, which a hostile page may name: one that the bank has passed, and one that waits. */
export interface Strangers {
  passed: BankRow | null
  waiting: BankRow | null
}

/**
 * A page of the bank that harms whoever lets it, for tests of what is around it. Each attempt is written into the list `#tried`, with what came of
 * it. It has no policy of its own.
 */
export function hostilePage(row: BankRow, kind: Hostility, { passed, waiting }: Strangers): BankPage {
  const returnUrl = row.return_url
  const facts = {
    document: returnUrl.replace(/\/return$/, ''),
    returnUrl,
    forged: cresOf({ ...row, trans_status: 'Y' }),
    replayed: cresOf(passed ?? row),
    other: waiting?.return_url ?? returnUrl,
  }
  const { html } = markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Hostile: ${kind}</title></head>
<body>
<h1>Hostile bank: ${kind}</h1>
<form method="post" action="/3ds/challenge/answer">
<input type="hidden" name="acs" value="${row.acs_trans_id}">
<label>Code <input name="code"></label>
<button name="action" value="code">Confirm</button>
<button name="action" value="cancel">Cancel the payment</button>
</form>
<ul id="tried"></ul>
<script type="application/json" id="facts">${{ html: JSON.stringify(facts).replaceAll('<', '\\u003c') }}</script>
<script>${{ html: `${COMMON}\nconst harm = () => {\n${SCRIPTS[kind]}\n}\n${TIMES}` }}</script>
</body>
</html>`
  return { html, policy: null }
}

const COMMON = `const facts = JSON.parse(document.getElementById('facts').textContent)
const home = location.origin + '/'
const note = (what, came) => {
  const line = document.createElement('li')
  line.textContent = what + ': ' + came
  document.getElementById('tried').append(line)
}
const attempt = (what, act) => {
  try {
    Promise.resolve(act()).then((came) => note(what, came === null ? 'null' : typeof came), (error) => note(what, error.name))
  } catch (error) { note(what, error.name) }
}
const post = (url, fields, target) => {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: url, target: target || '' })
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
const click = (attributes) => {
  const link = Object.assign(document.createElement('a'), attributes)
  document.body.append(link)
  link.click()
}`

/** At once, and when the card holder touches the page: browsers let a page do more then. */
const TIMES = `harm()
addEventListener('click', ({ isTrusted, target }) => { if (isTrusted && !target.closest('form')) harm() })`

const SCRIPTS: Readonly<Record<Hostility, string>> = {
  opens_top: `attempt('top.location', () => { top.location = home })
attempt('top.location.href', () => { top.location.href = home })
attempt('parent.location.replace', () => { parent.location.replace(home) })`,
  form_to_top: `attempt('form _top', () => post(home, { a: 'b' }, '_top'))
attempt('form _parent', () => post(home, { a: 'b' }, '_parent'))`,
  redirects_top: `attempt('open _top', () => open(home, '_top'))
attempt('link _top', () => click({ href: home, target: '_top' }))
attempt('link _parent', () => click({ href: home, target: '_parent' }))`,
  opens_windows: `attempt('open', () => open(home))
attempt('link _blank', () => click({ href: home, target: '_blank' }))
attempt('form _blank', () => post(home, { a: 'b' }, '_blank'))`,
  downloads: `attempt('link download', () => click({ href: 'data:text/plain,hostile', download: 'hostile.txt' }))
attempt('frame download', () => {
  const frame = Object.assign(document.createElement('iframe'), { src: '/3ds/hostile/download' })
  document.body.append(frame)
})
attempt('go to download', () => { location.href = '/3ds/hostile/download' })`,
  forges_messages: `const said = ['chargeAuthSuccess', 'chargeAuthReject', 'finish', 'done', 'svc-bank-returned']
const messages = said.flatMap((name) => [
  name,
  { type: name },
  { kind: name },
  { event: name, data: { status: 'authenticated', succeeded: true } },
  { source: 'svc', name, charge_id: 'x', status: 'complete' },
  JSON.stringify({ event: name, status: 'authenticated' }),
])
const targets = [parent, top, parent.parent, ...Array.from({ length: parent.length }, (_, at) => parent[at])]
setInterval(() => targets.forEach((target) => messages.forEach((message) => target.postMessage(message, '*'))), 300)
attempt('postMessage', () => targets.length)`,
  plays_audio: `attempt('AudioContext', async () => {
  const context = new AudioContext()
  const tone = context.createOscillator()
  tone.connect(context.destination)
  tone.start()
  await Promise.race([context.resume(), new Promise((done) => setTimeout(done, 500))])
  if (context.state !== 'running') throw new DOMException('', 'NotAllowedError')
})
attempt('audio', () => new Audio('data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=').play())`,
  asks_permissions: `attempt('camera', () => navigator.mediaDevices.getUserMedia({ video: true }))
attempt('microphone', () => navigator.mediaDevices.getUserMedia({ audio: true }))
attempt('screen', () => navigator.mediaDevices.getDisplayMedia())
attempt('place', () => new Promise((done, fail) =>
  navigator.geolocation.getCurrentPosition(done, () => fail(new DOMException('', 'NotAllowedError')))))
attempt('notifications', async () => {
  if ((await Notification.requestPermission()) !== 'granted') throw new DOMException('', 'NotAllowedError')
})
attempt('payment', () => new PaymentRequest([{ supportedMethods: 'https://bank.example' }],
  { total: { label: 'a', amount: { currency: 'AUD', value: '1.00' } } }).show())
attempt('clipboard', () => navigator.clipboard.readText())
attempt('full screen', () => document.documentElement.requestFullscreen())
attempt('passkey', () => navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } }))
attempt('USB', () => navigator.usb.requestDevice({ filters: [] }))`,
  forges_result: `attempt('forged result', () => post(facts.returnUrl, { cres: facts.forged }))`,
  replays_result: `attempt('replayed result', () => post(facts.returnUrl, { cres: facts.replayed }))`,
  names_another_charge: `attempt("another's return", () => post(facts.other, { cres: facts.forged }))`,
  alerts: `addEventListener('beforeunload', (event) => event.preventDefault())
setTimeout(() => {
  attempt('alert', () => alert('hostile'))
  attempt('confirm', () => confirm('hostile'))
  attempt('prompt', () => prompt('hostile'))
  attempt('print', () => print())
})`,
  is_huge: `document.body.style.cssText = 'width:200000px;height:2000000px;font-size:400px'
const text = 'hostile '.repeat(1000)
for (let row = 0; row < 500; row += 1) document.body.append(Object.assign(document.createElement('p'), { textContent: text }))
attempt('resizeTo', () => { parent.resizeTo(10, 10) })
attempt('height message', () => parent.postMessage({ height: 2000000 }, '*'))`,
  steals_focus: `const input = document.querySelector('[name=code]')
setInterval(() => { focus(); input.focus() }, 200)
attempt('focus', () => { focus(); input.focus() })
attempt('parent.focus', () => parent.focus())
attempt('scrollIntoView', () => input.scrollIntoView())`,
  goes_to_other_page: `attempt('our own document', () => { location.href = facts.document })`,
  never_ends_loading: `document.body.append(Object.assign(new Image(), { src: '/3ds/hostile/never', alt: '' }))
attempt('endless picture', () => 1)`,
  reads_parent: `attempt('parent.document', () => parent.document.title)
attempt('parent.location', () => parent.location.href)
attempt('top.document', () => top.document.cookie)
attempt('parent.frames', () => parent.frames[0].document.title)
attempt('parent.svc', () => parent.svc)
attempt('top.svc', () => top.svc)
attempt('frameElement', () => { if (frameElement === null) throw new DOMException('', 'NotAllowedError') })
attempt('set parent.name', () => { parent.name = 'hostile' })
attempt('cookies', () => { document.cookie = 'a=b'; if (document.cookie === '') throw new DOMException('', 'NotAllowedError') })
attempt('storage', () => localStorage.setItem('a', 'b'))`,
}
