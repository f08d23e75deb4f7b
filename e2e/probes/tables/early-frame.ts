import { PROTOCOL } from '../../../src/contract/page/widget-channel.ts'
import { PAGE_PORT, SERVICE_PORT, SERVICE_URL } from '../../world/addresses.ts'

/** The same page and the same service on another site than `localhost`. */
const OTHER_PAGE = `http://127.0.0.1:${PAGE_PORT}`
const OTHER_SERVICE = `http://127.0.0.1:${SERVICE_PORT}`

/** How it ended, whose form stands in the container, and how many lines the console has about it. */
type Seen = readonly [end: string, form: 'early' | 'own' | 'none', lines: number, ...more: string[]]

const ADOPTED: Seen = ['answers', 'early', 0]
const REPLACED: Seen = ['answers', 'own', 1]

/** A page with the form in its HTML, and something that somebody does to it. */
export interface EarlyProbe {
  did: string
  expected: Seen
  /** Changes the markup of the form. */
  markup?: (html: string) => string
  /** Changes the HTML of the page. */
  page?: (html: string) => string
  /** A script before the SDK's; `early` is the iframe, `stolen` is for what nobody but the SDK may hear. */
  before?: string
  /** A script in place of `load()`; `ended` is how the load ended. */
  load?: string
  headers?: Readonly<Record<string, string>>
  /** HTML of the page around the page: `#` stands for its address. */
  around?: string
  /** The person leaves the page and comes back to it. */
  isLeft?: true
  /** Takes more than the usual second or two. */
  isSlow?: true
}

const WELCOME = `{ channel: 'widget.svc', protocol: ${PROTOCOL}, widget_id: '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a22', settings: {} }`
const STEAL = `(target) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => /submit|finish|validationError/.test(data.event) && stolen.push(data.event)
  target.postMessage(${WELCOME}, '*', [port2])
}`
const forged = (fields: string) =>
  `{ hello: 'widget.svc', document: 'forged', address: '/sdk/v1.0.0/frame?', is_taken: true, ${fields} }`

/** A document that says and sends whatever could pass for a form's or a page's words, to every window that it knows, again and again. */
const STRANGER = `<!doctype html><title>stranger</title><script>
  const heard = []
  addEventListener('message', ({ data }) => heard.push(data))
  const windows = () => [parent, top, opener, ...Array.from({ length: top.length }, (_, index) => top[index])].filter(Boolean)
  setInterval(() => {
    for (const one of windows()) {
      one.postMessage(${forged('')}, '*')
      one.postMessage(${forged("document: 'other', is_taken: false")}, '*')
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => { heard.push(data); top.postMessage({ stolen: String(data.event ?? data) }, '*') }
      one.postMessage(${WELCOME}, '*', [port2])
      one.postMessage('widget.svc hello?', '*')
    }
  }, 20)
</script>`
/** Of another site: where a person goes in between. */
export const ELSEWHERE = `${OTHER_PAGE}/empty`
export const FILES = { '/stranger': STRANGER, '/empty': '<!doctype html><title>empty</title>' }

const beside = (src: string) => (html: string) =>
  html.replace(
    '<div id="card">',
    `<iframe src="${src}" title="stranger" height="20"></iframe><div id="card">`,
  )
const sourceAs = (src: string) => (html: string) => html.replace(/src="[^"]*"/, `src="${src}"`)
const withAttribute = (attribute: string) => (html: string) =>
  html.replace('<iframe ', `<iframe ${attribute} `)
const isolated = (embedder: string) => ({
  'cross-origin-embedder-policy': embedder,
  'cross-origin-opener-policy': 'same-origin',
})

/** A page with another SDK, `first`, before its own; `load` lets both load into one container. */
const withFirstSdk = (release: string) => (html: string) =>
  html.replace(
    '<script src="/watch.js">',
    `<script src="${SERVICE_URL}/sdk/${release}/widget.umd.min.js"></script><script>const first = svc</script>$&`,
  )
const BOTH = `{ new first.HtmlWidget('#card', key).load().catch(({ code }) => { if (code !== 'form_replaced') thrown.push(code) })
  ended = widget.load().then(() => 'afterLoad', ({ code }) => code) }`

const FORGED: readonly EarlyProbe[] = [
  {
    did: 'hellos of the page',
    before: `setInterval(() => postMessage(${forged('')}, '*'), 20)`,
    expected: ADOPTED,
  },
  { did: 'hellos of a frame beside it', page: beside('/stranger'), expected: ADOPTED },
  { did: 'hellos of a frame of another site', page: beside(`${OTHER_PAGE}/stranger`), expected: ADOPTED },
  {
    did: 'hellos of a frame in a frame',
    page: beside(`/empty`),
    before: `const outer = document.querySelector('iframe')
      outer.onload = () => { const inner = outer.contentDocument.createElement('iframe'); inner.src = '/stranger'; outer.contentDocument.body.append(inner) }`,
    expected: ADOPTED,
  },
  {
    did: 'a window that the page has opened',
    before: `window.open('/stranger', '', 'popup')`,
    expected: ADOPTED,
  },
  { did: 'a page around the page', around: `${STRANGER}<iframe src="#"></iframe>`, expected: ADOPTED },
  {
    did: 'a second welcome and a replayed one',
    load: `widget.load().then(() => { (${STEAL})(early.contentWindow); (${STEAL})(early.contentWindow); return 'afterLoad' }, ({ code }) => code)`,
    expected: ADOPTED,
  },
  {
    did: 'a script that welcomes it first',
    before: `addEventListener('message', ({ data, source }) => { if (data.hello) { (${STEAL})(source) } }, { once: true })`,
    expected: ['answers', 'own', 1],
    isSlow: true,
  },
]

const FOREIGN: readonly EarlyProbe[] = [
  {
    did: 'another key',
    markup: (html) => html.replace(/public_key=[^&"]*/, 'public_key=pk_sandbox_other'),
    expected: REPLACED,
  },
  {
    did: 'two keys',
    markup: (html) => html.replace('?', '?public_key=pk_sandbox_other&amp;'),
    expected: REPLACED,
  },
  {
    did: 'another gateway',
    markup: (html) => html.replace('gateway_id=default', 'gateway_id=other'),
    expected: REPLACED,
  },
  { did: 'a checkout', markup: (html) => html.replace('/frame?', '/checkout?'), expected: REPLACED },
  { did: 'an older release', markup: (html) => html.replace(/v\d+\.\d+\.\d+/, 'v1.2.0'), expected: REPLACED },
  {
    did: 'the release by another name',
    markup: (html) => html.replace(/v\d+\.\d+\.\d+/, 'latest'),
    expected: REPLACED,
  },
  {
    did: 'another origin of the service',
    markup: (html) => html.replace(SERVICE_URL, OTHER_SERVICE),
    expected: REPLACED,
  },
  {
    did: 'srcdoc over our address',
    markup: withAttribute(`srcdoc="<p>mine</p>"`),
    expected: REPLACED,
    isSlow: true,
  },
  {
    did: 'srcdoc that says hello',
    markup: withAttribute(
      `srcdoc="<script>parent.postMessage({ hello: 'widget.svc', document: 'x', address: '/sdk/v1.3.0/frame?', is_taken: false }, '*')</script>"`,
    ),
    expected: REPLACED,
    isSlow: true,
  },
  { did: 'about:blank', markup: sourceAs('about:blank'), expected: ['answers', 'early', 0, 'one form more'] },
  {
    did: 'a javascript: address',
    markup: sourceAs('javascript:0'),
    expected: ['answers', 'early', 0, 'one form more'],
  },
  {
    did: 'a javascript: address like a form’s',
    markup: sourceAs('javascript://x/sdk/v1/frame?%0a0'),
    expected: REPLACED,
  },
  {
    did: 'an address that is none',
    markup: sourceAs('https://YOUR SERVICE/sdk/v1.3.0/frame?public_key=pk'),
    expected: REPLACED,
  },
  {
    did: 'an address with an impossible port',
    markup: sourceAs('https://a:port/sdk/v1.3.0/frame?public_key=pk'),
    expected: REPLACED,
  },
  {
    did: 'a sandbox without the origin',
    markup: (html) => html.replace(' allow-same-origin', ''),
    expected: REPLACED,
    isSlow: true,
  },
  {
    did: 'a sandbox without scripts',
    markup: (html) => html.replace('allow-scripts', ''),
    expected: REPLACED,
    isSlow: true,
  },
  { did: 'no sandbox', markup: (html) => html.replace(/sandbox="[^"]*"/, ''), expected: ADOPTED },
  { did: 'two alike', markup: (html) => html + html, expected: ADOPTED },
  {
    did: 'navigated to another form before the SDK',
    before: `early.contentWindow.location = early.src.replace(/public_key=[^&]*/, 'public_key=pk_sandbox_other')`,
    expected: REPLACED,
    isSlow: true,
  },
  {
    did: 'navigated away before the SDK',
    before: `early.contentWindow.location = '${ELSEWHERE}'`,
    expected: REPLACED,
    isSlow: true,
  },
  {
    did: 'navigated away before the SDK and back while it waits',
    before: `early.contentWindow.location = '${ELSEWHERE}'`,
    load: `{ ended = widget.load().then(() => 'afterLoad', ({ code }) => code); setTimeout(() => (early.contentWindow.location = early.src), 300) }`,
    expected: ADOPTED,
  },
  {
    did: 'navigated to another form right after the load began',
    load: `{ const done = widget.load(); early.contentWindow.location = early.src.replace(/public_key=[^&]*/, 'public_key=pk_sandbox_other')
      ended = done.then(() => 'afterLoad', ({ code }) => code) }`,
    expected: REPLACED,
    isSlow: true,
  },
  {
    did: 'navigated to another form once it was alive',
    load: `widget.load().then(() => {
        const again = widget.on('afterLoad')
        early.contentWindow.location = early.src.replace('gateway_id=default', 'gateway_id=not_configured')
        return again }).then(() => 'afterLoad', ({ code }) => code)`,
    expected: REPLACED,
  },
]

const PLACES: readonly EarlyProbe[] = [
  {
    did: 'far below, and lazy',
    page: (html) => html.replace('<div id="card">', '<p style="height:9000px"></p><div id="card">'),
    markup: withAttribute('loading="lazy"'),
    expected: ADOPTED,
  },
  {
    did: 'in what is hidden',
    page: (html) => html.replace('<div id="card">', '<div hidden><div id="card">'),
    expected: ADOPTED,
  },
  {
    did: 'in a closed shadow root',
    before: `const host = document.createElement('section'); document.querySelector('h1').after(host)
      const root = host.attachShadow({ mode: 'closed' }); root.append(document.querySelector('#card')); container = root.querySelector('#card')`,
    expected: ADOPTED,
  },
  { did: 'in a frame', around: '<iframe src="#" title="page"></iframe>', expected: ADOPTED },
  {
    did: 'in a frame of another site',
    around: `<iframe src="${OTHER_PAGE}#" title="page"></iframe>`,
    expected: ADOPTED,
  },
  {
    did: 'in a frame without an origin',
    around: '<iframe sandbox="allow-scripts" src="#" title="page"></iframe>',
    expected: ['page_sandboxed', 'none', 0],
    isSlow: true,
  },
  { did: 'under require-corp', headers: isolated('require-corp'), expected: ADOPTED },
  { did: 'under credentialless', headers: isolated('credentialless'), expected: ADOPTED },
  {
    did: 'credentialless itself',
    markup: withAttribute('credentialless'),
    headers: isolated('credentialless'),
    expected: ADOPTED,
  },
  {
    did: 'isolated by Document-Isolation-Policy',
    headers: { 'document-isolation-policy': 'isolate-and-require-corp' },
    expected: ADOPTED,
  },
  { did: 'in a page that is left and shown again', isLeft: true, expected: ADOPTED },
  {
    did: 'moved before the SDK',
    before: `document.body.append(document.querySelector('#card'))`,
    expected: ADOPTED,
  },
  {
    did: 'moved right after the load began',
    load: `{ ended = widget.load().then(() => 'afterLoad', ({ code }) => code); document.body.append(document.querySelector('#card')) }`,
    expected: ADOPTED,
  },
  {
    did: 'taken out and put in again',
    load: `{ ended = widget.load().then(() => 'afterLoad', ({ code }) => code); const card = document.querySelector('#card'); card.remove(); setTimeout(() => document.body.append(card), 1500) }`,
    expected: ADOPTED,
  },
  {
    did: 'hidden by the widget, and replaced',
    markup: (html) => html.replace(' allow-same-origin', ''),
    load: `{ widget.hide(); ended = widget.load().then(() => getComputedStyle(container.querySelector('iframe')).display === 'none' ? 'afterLoad' : 'shown', ({ code }) => code) }`,
    expected: REPLACED,
    isSlow: true,
  },
  {
    did: 'of a widget that is given a secret key',
    load: `{ const other = new svc.HtmlWidget('#card', 'sk_sandbox_x'); ended = other.load().then(() => 'afterLoad', ({ code }) => code) }`,
    expected: ['secret_key', 'none', 0],
  },
  {
    did: 'two copies of the SDK at once',
    page: withFirstSdk('latest'),
    load: BOTH,
    expected: ['answers', 'own', 0],
  },
  {
    did: 'an older release of the SDK, and this one',
    page: withFirstSdk('v1.2.0'),
    load: BOTH,
    expected: REPLACED,
  },
  {
    did: 'two widgets at once',
    load: `{ const first = new svc.HtmlWidget('#card', key); first.load().catch(({ code }) => { if (code !== 'form_replaced') thrown.push(code) })
      ended = widget.load().then(() => 'afterLoad', ({ code }) => code) }`,
    expected: ['answers', 'own', 0],
  },
]

export const EARLY_PROBES: readonly (readonly [row: string, probes: readonly EarlyProbe[]])[] = [
  ['early frame: forged words', FORGED],
  ['early frame: another form', FOREIGN],
  ['early frame: places', PLACES],
]
